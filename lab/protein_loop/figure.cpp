#include <fmt/format.h>

#include <cmath>

#include "lab/benchmark/figure.h"
#include "lab/protein_loop/recording.h"

namespace elastane::protein_loop {
namespace {

constexpr web::PanelLayout kLayout = {.width = 320, .height = 330};
constexpr double kPicture = 270;  // height of the protein; the rest shows K along the chain
constexpr const char* kBent = "#d98e2b";

struct Flat {
  double x, y;
};

// one view for all panels, slightly rotated
class Camera {
 public:
  explicit Camera(const std::vector<Vec3>& native) {
    const auto count = static_cast<double>(native.size());
    for (const Vec3& p : native) middle_ += {p.x / count, p.y / count, p.z / count};
    for (const Vec3& p : native) {
      const Flat f = turned(p);
      reach_ = std::max({reach_, std::abs(f.x) * kPicture / kLayout.width, std::abs(f.y)});
    }
  }
  Flat operator()(const Vec3& p) const {
    const Flat f = turned(p);
    const double scale = 0.46 * kPicture / reach_;
    return {kLayout.width / 2 + scale * f.x, kPicture / 2 - scale * f.y};
  }

 private:
  Flat turned(const Vec3& p) const {
    const auto [x, y, z] = p - middle_;
    return {0.88 * x + 0.48 * z, 0.94 * y - 0.34 * (0.88 * z - 0.48 * x)};
  }

  Vec3 middle_;
  double reach_ = 4;
};

std::string points_of(const std::vector<Vec3>& trace, std::size_t first, std::size_t last, const Camera& camera) {
  std::string points;
  for (std::size_t i = first; i <= last && i < trace.size(); ++i) {
    const Flat f = camera(trace[i]);
    points += fmt::format("{:.1f},{:.1f} ", f.x, f.y);
  }
  return points;
}

std::string line(const std::string& points, const std::string& style) {
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\" {}/>",
                     points, style);
}

std::vector<int> spent_on(const LoopRecording& r, const LoopAgent& agent) {
  std::vector<int> counts(r.sequence.size(), 0);
  for (std::size_t s = 0; s < agent.steps.size(); ++s) {
    const std::size_t residue = static_cast<std::size_t>(r.lead) + s;
    if (residue < counts.size()) counts[residue] += agent.steps[s].moment.depth;
  }
  return counts;
}

std::string panel(const LoopRecording& r, const LoopAgent& agent, const Camera& camera, int most) {
  const std::vector<Vec3>& trace = agent.steps.back().trace;
  const auto first = static_cast<std::size_t>(r.loop_first), last = static_cast<std::size_t>(r.loop_last);
  std::string out = line(points_of(r.native, first == 0 ? 0 : first - 1, last + 1, camera),
                         fmt::format("stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"5 4\"", kBent));
  const std::vector<int> counts = spent_on(r, agent);
  out += line(points_of(trace, 0, trace.size() - 1, camera), "stroke=\"#46505c\" stroke-width=\"6\"");
  for (std::size_t i = 0; i + 1 < trace.size(); ++i) {
    out += line(points_of(trace, i, i + 1, camera),
                fmt::format("stroke=\"{}\" stroke-width=\"4.4\"", web::depth_colour(counts[i])));
  }
  // K along the chain
  const double top = kPicture + 14, height = kLayout.height - top,
               each = kLayout.width / static_cast<double>(counts.size());
  out += fmt::format("<rect y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#f6f8fa\"/>", top, kLayout.width, height);
  out += fmt::format("<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\" opacity=\"0.2\"/>",
                     each * r.loop_first, top, each * (r.loop_last - r.loop_first + 1), height, kBent);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double tall = height * counts[i] / most;
    out += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>",
                       each * static_cast<double>(i), kLayout.height - tall, 0.85 * each, tall,
                       web::depth_colour(counts[i]));
  }
  return out + fmt::format("<text x=\"4\" y=\"{}\" font-size=\"11\">K along the chain; gap at the end {:.2f} Å</text>",
                           top - 3, agent.steps.back().gap);
}

}  // namespace

std::string LoopRecording::figure() const {
  const LoopRecording& r = *this;
  const Camera camera(r.native);
  int most = 1;
  for (const LoopAgent& agent : r.agents) {
    for (const int count : spent_on(r, agent)) most = std::max(most, count);
  }
  std::vector<web::Panel> panels;
  for (const LoopAgent& agent : r.agents)
    panels.push_back(benchmark::panel_of(agent.caption, panel(r, agent, camera, most)));
  return web::figure_panels(kLayout, r.title, "", panels, "repaired", {{kBent, "the loop before it was bent"}});
}

}  // namespace elastane::protein_loop
