#include <fmt/format.h>

#include <algorithm>

#include "lab/benchmark/figure.h"
#include "lab/frost/recording.h"

namespace elastane::frost {
namespace {

constexpr web::PanelLayout kLayout = {.width = 300, .height = 300};

// every cell by the iteration of its last answer; wrong ones are framed
std::string drawing(const CellsAgent& agent, const Episode& e) {
  std::string svg;
  const double size = kLayout.width / e.cols;
  const auto last = static_cast<double>(std::max<std::size_t>(1, agent.steps.size()));
  for (int i = 0; i < e.cells(); ++i) {
    const auto c = static_cast<std::size_t>(i);
    const bool wall = e.task == Task::grid && e.features[2 * c] == 0;
    const bool one = agent.steps.back().classes[c] == 1, wrong = agent.steps.back().classes[c] != e.labels[c];
    const int shade = static_cast<int>(215 - 165 * agent.settled[c] / last);
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"{}/>",
                       i % e.cols * size + 0.5, i / e.cols * size + 0.5, size - 1, size - 1,
                       wall  ? "#39434d"
                       : one ? fmt::format("rgb({0},{0},235)", shade)
                             : "#eef1f4",
                       wrong ? " stroke=\"#d32f2f\" stroke-width=\"2\"" : "");
  }
  return svg;
}

}  // namespace

std::string CellsRecording::figure() const {
  std::vector<web::Panel> panels;
  for (const CellsAgent& agent : agents) panels.push_back(benchmark::panel_of(agent.caption, drawing(agent, cells)));
  return web::figure_panels(
      kLayout, title, "", panels, "all cells right",
      {{"rgb(60,60,235)", "answered late"}, {"rgb(200,200,235)", "answered early"}, {"#d32f2f", "wrong"}});
}

}  // namespace elastane::frost
