#include <fmt/format.h>

#include "lab/benchmark/figure.h"
#include "lab/recall/recording.h"

namespace elastane::recall {
namespace {

constexpr web::PanelLayout kLayout = {.width = 300, .height = 170};
constexpr const char* kRead = "#2f6fd0";

// heads down, blocks of keys across, as the last query reads them
std::string drawing(const PromptAgent& agent) {
  std::string svg;
  int row = 0;
  for (const Reading& r : agent.readings) {
    const double wide = kLayout.width / r.blocks, high = 18;
    for (int head = 0; head < r.heads; ++head, ++row) {
      for (int b = 0; b < r.blocks; ++b) {
        const std::size_t at = r.at(head, r.length - 1, b);
        svg += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" fill-opacity=\"{:.2f}\" "
            "stroke=\"{}\" stroke-width=\"{}\"/>",
            b * wide + 1, row * high + 1, wide - 2, high - 2, r.read[at] != 0 ? kRead : "#eef1f4",
            r.read[at] != 0 ? 0.08 + 0.92 * r.mass[at] : 1.0, r.read[at] != 0 ? kRead : "none", 0.6);
      }
    }
  }
  return svg;
}

}  // namespace

std::string PromptRecording::figure() const {
  std::vector<web::Panel> panels;
  for (const PromptAgent& agent : agents) panels.push_back(benchmark::panel_of(agent.caption, drawing(agent)));
  return web::figure_panels(kLayout, title, "", panels, "answered",
                            {{kRead, "read by the last query; darker: more weight"}, {"#eef1f4", "not read"}});
}

}  // namespace elastane::recall
