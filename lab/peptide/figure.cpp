#include <fmt/format.h>

#include <cmath>

#include "lab/benchmark/figure.h"
#include "lab/peptide/recording.h"

namespace elastane::peptide {
namespace {

constexpr web::PanelLayout kLayout = {.width = 380, .height = 260};
constexpr double kChain = 190;  // side of the square of a chain

// the part of a that is normal to `along`, which has length 1
Vec3 across(Vec3 a, Vec3 along) {
  const double share = dot(a, along);
  return {a.x - share * along.x, a.y - share * along.y, a.z - share * along.z};
}
// of a vector that may be zero
Vec3 direction(Vec3 a) {
  const double length = std::sqrt(std::max(dot(a, a), 1e-12));
  return {a.x / length, a.y / length, a.z / length};
}

std::vector<Vec3> backbone(const PeptideRecording& r, const PeptideStep& step) {
  std::vector<Vec3> trace;
  for (std::size_t i = 0; i < r.atoms.size() && i < step.atoms.size(); ++i) {
    if (r.atoms[i].name == "CA") trace.push_back(step.atoms[i]);
  }
  return trace;
}

struct Flat {
  double x, y;
};

// projected so that it is spread out: one axis from end to end, the other towards the residue farthest from that
std::vector<Flat> flattened(const std::vector<Vec3>& trace) {
  const Vec3 along = direction(trace.back() - trace.front());
  Vec3 farthest;
  for (const Vec3& p : trace) {
    const Vec3 off = across(p - trace.front(), along);
    if (dot(off, off) > dot(farthest, farthest)) farthest = off;
  }
  const Vec3 up = direction(farthest);
  std::vector<Flat> flat;
  double low_x = INFINITY, high_x = -INFINITY, low_y = INFINITY, high_y = -INFINITY;
  for (const Vec3& p : trace) {
    const Vec3 d = p - trace.front();
    flat.push_back({dot(d, along), dot(d, up)});
    low_x = std::min(low_x, flat.back().x), high_x = std::max(high_x, flat.back().x);
    low_y = std::min(low_y, flat.back().y), high_y = std::max(high_y, flat.back().y);
  }
  for (Flat& f : flat) f = {f.x - (low_x + high_x) / 2, f.y - (low_y + high_y) / 2};
  return flat;
}

// a smooth curve through points (Catmull and Rom), as a polyline
std::string smooth_points(const std::vector<Flat>& p, double middle_x, double middle_y, double scale) {
  constexpr int kPieces = 6;
  const auto at = [&](std::size_t i) { return p[std::min(i, p.size() - 1)]; };
  std::string points;
  for (std::size_t i = 0; i + 1 < p.size(); ++i) {
    const Flat a = at(i == 0 ? 0 : i - 1), b = at(i), c = at(i + 1), d = at(i + 2);
    const auto between = [](double u, double v, double w, double x, double t) {
      return 0.5 * (2 * v + (w - u) * t + (2 * u - 5 * v + 4 * w - x) * t * t + (3 * v - u - 3 * w + x) * t * t * t);
    };
    for (int k = 0; k <= kPieces; ++k) {
      const double t = static_cast<double>(k) / kPieces;
      points += fmt::format("{:.1f},{:.1f} ", middle_x + scale * between(a.x, b.x, c.x, d.x, t),
                            middle_y - scale * between(a.y, b.y, c.y, d.y, t));
    }
  }
  return points;
}

std::string chain(const PeptideRecording& r, const PeptideAgent& agent, std::size_t step, double scale, double left) {
  const std::vector<Vec3> trace = backbone(r, agent.steps[step]);
  if (trace.size() < 2) return "";
  const std::vector<Flat> flat = flattened(trace);
  const double middle_x = left + kChain / 2, middle_y = kChain / 2;
  const auto x = [&](std::size_t i) { return middle_x + scale * flat[i].x; };
  const auto y = [&](std::size_t i) { return middle_y - scale * flat[i].y; };
  std::string out;
  const std::string points = smooth_points(flat, middle_x, middle_y, scale);
  for (const auto& [colour, width] : {std::pair("#46505c", 9.0), std::pair("#7ea6dc", 6.6)}) {
    out += fmt::format(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\" "
        "stroke-linecap=\"round\"/>",
        points, colour, width);
  }
  const auto& contact = r.contacts.empty() ? PeptideContact{} : r.contacts.back();
  const auto a = static_cast<std::size_t>(contact.i), b = static_cast<std::size_t>(contact.j);
  if (r.contacts.empty() || a >= flat.size() || b >= flat.size()) return out;
  const Vec3 apart = trace[b] - trace[a];
  const double distance = std::sqrt(dot(apart, apart));
  const char* colour = distance <= contact.goal ? "#1f8a5b" : "#c07414";
  out += fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"1.6\" "
      "stroke-dasharray=\"5 4\"/>",
      x(a), y(a), x(b), y(b), colour);
  for (const std::size_t i : {a, b}) {
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6.5\" fill=\"#fff\" stroke=\"{}\" stroke-width=\"2\"/>",
                       x(i), y(i), colour);
  }
  return out + fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\" fill=\"{}\">{}: {:.1f} Å</text>",
                           middle_x, kChain + 4, colour, step == 0 ? "start" : "end", distance);
}

// the distance of the contact over time, coloured by micro-steps
std::string curve(const PeptideRecording& r, const PeptideAgent& agent, double longest, double most) {
  const double top = kChain + 14, bottom = kLayout.height, width = kLayout.width;
  const auto x = [&](double t) { return width * t / longest; };
  const auto y = [&](double d) { return bottom - (bottom - top) * std::min(d / most, 1.0); };
  std::string out =
      fmt::format("<rect y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#f6f8fa\"/>", top, width, bottom - top);
  const double goal = r.contacts.empty() ? 6 : r.contacts.front().goal;
  out += fmt::format("<rect y=\"{:.1f}\" width=\"{}\" height=\"{:.1f}\" fill=\"#1f8a5b\" opacity=\"0.14\"/>", y(goal),
                     width, bottom - y(goal));
  for (const auto& contact : r.contacts) {
    out += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\" stroke=\"#d98e2b\" "
        "stroke-dasharray=\"3 3\"/>",
        x(contact.at), top, bottom);
  }
  for (std::size_t t = 1; t < agent.steps.size(); ++t) {
    if (!(agent.steps[t - 1].distance > 0)) continue;
    const int depth = agent.steps[t].moment.depth;
    out += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"2.4\" "
        "stroke-linecap=\"round\"/>",
        x(static_cast<double>(t) - 0.5), y(agent.steps[t - 1].distance), x(static_cast<double>(t) + 0.5),
        y(agent.steps[t].distance), web::depth_colour(depth));
  }
  return out + fmt::format("<text x=\"4\" y=\"{}\" font-size=\"11\">distance of the contact</text>", top + 12);
}

}  // namespace

std::string PeptideRecording::figure() const {
  const PeptideRecording& r = *this;
  double longest = 1, most = 1, reach = 1;
  for (const PeptideAgent& agent : r.agents) {
    longest = std::max(longest, static_cast<double>(agent.steps.size()));
    for (const PeptideStep& step : agent.steps) most = std::max(most, 1.4 * step.distance);  // room for the label
    for (const PeptideStep* step : {&agent.steps.front(), &agent.steps.back()}) {
      for (const Flat& f : flattened(backbone(r, *step))) reach = std::max({reach, std::abs(f.x), std::abs(f.y)});
    }
  }
  const double scale = (kChain / 2 - 12) / reach;
  std::vector<web::Panel> panels;
  for (const PeptideAgent& agent : r.agents) {
    panels.push_back(
        benchmark::panel_of(agent.caption, chain(r, agent, 0, scale, 0) +
                                               chain(r, agent, agent.steps.size() - 1, scale, kLayout.width - kChain) +
                                               curve(r, agent, longest, most)));
  }
  return web::figure_panels(kLayout, r.title, "", panels, "met",
                            {{"#1f8a5b", "the contact is near enough"}, {"#c07414", "not yet"}});
}

}  // namespace elastane::peptide
