#include "web/figure_panels.h"

#include <fmt/format.h>

#include "web/page.h"

namespace elastane::web {
namespace {

std::string heading(const Panel& c, double width, const std::string& done) {
  return fmt::format(
      "<text y=\"-10\" font-size=\"15\" font-weight=\"600\" fill=\"#1f2933\">{}</text>"
      "<text x=\"{}\" y=\"-10\" text-anchor=\"end\" fill=\"{}\">{}</text>",
      escaped(c.name), width, c.success ? "#1f8a5b" : "#c8372d",
      c.success ? fmt::format("{} in {} steps", escaped(done), c.steps) : "failed");
}

}  // namespace

std::string figure_panels(const PanelLayout& layout, const std::string& label, const std::string& definitions,
                          const std::vector<Panel>& panels, const std::string& done, Key key) {
  const auto count = static_cast<double>(std::max<std::size_t>(panels.size(), 1));
  const double width = count * (layout.width + layout.gap) + layout.gap;
  const double height = layout.top + layout.height + layout.bottom;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" "
      "aria-label=\"{2}\" font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"#66727f\">"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/><defs>{3}</defs>\n",
      width, height, escaped(label), definitions);
  double left = layout.gap;
  for (const Panel& panel : panels) {
    out += fmt::format("<g transform=\"translate({} {})\">{}{}</g>\n", left, layout.top,
                       heading(panel, layout.width, done), panel.drawing);
    left += layout.width + layout.gap;
  }
  for (std::size_t k = 0; k < kDepthColours.size(); ++k) {
    key.insert(key.begin() + static_cast<std::ptrdiff_t>(k),
               {kDepthColours[k], k + 1 < kDepthColours.size() ? fmt::format("K = {}", k) : fmt::format("K ≥ {}", k)});
  }
  double at = layout.gap;
  for (const auto& [colour, text] : key) {
    if (at + 22 + 6.4 * static_cast<double>(text.size()) > width) break;  // a narrow picture has a short key
    out += fmt::format("<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"14\" height=\"5\" rx=\"2\" fill=\"{}\"/>", at,
                       height - 17, colour);
    out +=
        fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" font-size=\"12\">{}</text>", at + 19, height - 10, escaped(text));
    at += 38 + 6.4 * static_cast<double>(text.size());
  }
  return out + "</svg>\n";
}

}  // namespace elastane::web
