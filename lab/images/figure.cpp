#include <fmt/format.h>

#include <algorithm>

#include "lab/benchmark/figure.h"
#include "lab/images/recording.h"

namespace elastane::images {
namespace {

constexpr web::PanelLayout kImagesLayout = {.width = 300, .height = 250};
constexpr int kAcross = 6;

// every image with its answer below it; wrong ones are red, proven ones green
std::string image_drawing(const ImagesAgent& agent, const ImagesRecording& r) {
  std::string svg;
  const double cell = kImagesLayout.width / kAcross, pixel = 0.7 * cell / r.side;
  for (int i = 0; i < r.shown.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double left = i % kAcross * cell, top = i / kAcross * (cell + 10);
    const std::span<const float> image = r.shown.image(i);
    for (int p = 0; p < static_cast<int>(image.size()); ++p) {
      const int level = static_cast<int>(255 * std::clamp(image[static_cast<std::size_t>(p)], 0.0F, 1.0F));
      if (level < 26) continue;
      svg += fmt::format(
          "<rect x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2:.2f}\" height=\"{2:.2f}\" fill=\"rgb({3},{3},{3})\"/>",
          left + p % r.side * pixel, top + p / r.side * pixel, pixel, 255 - level);
    }
    const ImagesStep& last = agent.steps.back();
    const char* colour = last.classes[at] != r.shown.labels[at] ? "#d32f2f"
                         : last.proven[at] != 0                 ? "#1f8a5b"
                                                                : "#66727f";
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"11\" fill=\"{}\">{}</text>", left,
                       top + 0.7 * cell + 11, colour, last.classes[at]);
  }
  return svg;
}

}  // namespace

std::string ImagesRecording::figure() const {
  std::vector<web::Panel> panels;
  for (const ImagesAgent& agent : agents) {
    panels.push_back(benchmark::panel_of(agent.caption, image_drawing(agent, *this)));
  }
  return web::figure_panels(kImagesLayout, title, "", panels, "all images right",
                            {{"#1f8a5b", "proven and right"}, {"#66727f", "right"}, {"#d32f2f", "wrong"}});
}

}  // namespace elastane::images
