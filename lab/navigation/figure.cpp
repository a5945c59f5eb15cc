#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/benchmark/figure.h"
#include "lab/navigation/recording.h"

namespace elastane::navigation {
namespace {

constexpr double kSide = 300;  // of a panel

double across(double x) { return x * kSide; }
double down(double y) { return (1 - y) * kSide; }
Vec2 position_of(const NavigationAgent& agent, std::size_t step) {
  return step < agent.steps.size() ? agent.steps[step].position : agent.end;
}

std::string circle(Vec2 centre, double radius, const std::string& look) {
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" {}/>", across(centre.x), down(centre.y),
                     radius * kSide, look);
}

std::string line(Vec2 from, Vec2 to, const std::string& look) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>", across(from.x), down(from.y),
                     across(to.x), down(to.y), look);
}

// hills, as squares that are blurred into each other; drawn once, used by every panel
std::string hills(const NavigationRecording& r) {
  std::string out;
  const int n = r.columns, step = std::max(1, n / 32);
  const auto [low, high] = std::ranges::minmax(r.heights);
  for (int row = 0; row < n; row += step) {
    for (int column = 0; column < n; column += step) {
      const double height = r.heights[static_cast<std::size_t>(row * n + column)];
      const double share = high > low ? (height - low) / (high - low) : 0;
      if (share < 0.04) continue;  // flat ground is left blank
      out += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" opacity=\"{:.2f}\"/>",
                         across(static_cast<double>(column) / n), down(static_cast<double>(row + step) / n),
                         kSide * step / n + 0.5, kSide * step / n + 0.5, 0.75 * share);
    }
  }
  return "<g fill=\"#d8c7a2\" filter=\"url(#soft)\">" + out + "</g>";
}

// what is the same for all agents
std::string ground(const NavigationRecording& r) {
  std::string out = "<rect width=\"300\" height=\"300\" fill=\"#fcfbf8\"/>";
  if (r.columns > 1) out += hills(r);
  for (const auto& w : r.walls) {
    out += line(w.from, w.to,
                fmt::format("stroke=\"#5d6875\" stroke-linecap=\"round\" stroke-width=\"{:.1f}\"", 2 * w.half * kSide));
  }
  for (const auto& d : r.discs) out += circle(d.centre, d.radius, "fill=\"#8793a0\"");
  if (!r.moving.empty()) {
    const std::size_t every = std::max<std::size_t>(1, r.moving.size() / 8);
    for (std::size_t t = 0; t < r.moving.size(); t += every) {
      for (const auto& d : r.moving[t]) out += circle(d.centre, d.radius, "fill=\"#7c5cb4\" opacity=\"0.16\"");
    }
  }
  if (r.dragged) {
    const std::string dashed = "fill=\"none\" stroke=\"#c07414\" stroke-width=\"1.4\" stroke-dasharray=\"4 4\"";
    out += circle(r.dragged->from, r.dragged->radius, dashed) + line(r.dragged->from, r.dragged->to, dashed);
    out += circle(r.dragged->to, r.dragged->radius, "fill=\"#dd9a3c\" stroke=\"#a9661a\" stroke-width=\"1.4\"");
  }
  out += circle(r.goal, std::max(r.goal_radius, 0.02),
                "fill=\"#1f8a5b\" fill-opacity=\"0.18\" stroke=\"#1f8a5b\" stroke-width=\"2\"");
  out += circle(r.start, 0.012, "fill=\"#fff\" stroke=\"#1f2933\" stroke-width=\"1.5\"");
  return out;
}

// By how much each correction lowered the loss, in four classes: 3 is near the agent's best, 0 a thousandth of it or
// less; as in player/drawing.js.
std::vector<int> gains(const NavigationAgent& agent) {
  const auto gain = [](const NavigationStep& s) { return s.moment.loss_before - s.moment.loss_after; };
  double most = 0;
  for (const auto& step : agent.steps) most = std::max(most, gain(step));
  std::vector<int> classes;
  for (const auto& step : agent.steps) {
    const double share = gain(step) > 0 ? std::clamp(1 + std::log10(gain(step) / most) / 3, 0.0, 1.0) : 0;
    classes.push_back(static_cast<int>(std::lround(3 * share)));
  }
  return classes;
}

// pieces of the path with the same K and about the same gain, each one line
std::string trail(const NavigationAgent& agent) {
  std::string out;
  const std::vector<int> gain = gains(agent);
  for (std::size_t t = 0; t < agent.steps.size();) {
    const int depth = agent.steps[t].moment.depth, thick = gain[t];
    Vec2 p = position_of(agent, t);
    std::string points = fmt::format("{:.1f},{:.1f}", across(p.x), down(p.y));
    do {
      p = position_of(agent, ++t);
      points += fmt::format(" {:.1f},{:.1f}", across(p.x), down(p.y));
    } while (t < agent.steps.size() && agent.steps[t].moment.depth == depth && gain[t] == thick);
    out += fmt::format(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:.1f}\" stroke-linecap=\"round\" "
        "stroke-linejoin=\"round\"/>",
        points, depth > 0 ? web::depth_colour(depth) : "#8f9ba8", 2.2 + 1.2 * thick);
  }
  return out;
}

// a tick across the path for each step in contact
std::string contacts(const NavigationAgent& agent) {
  std::string out;
  for (std::size_t t = 0; t < agent.steps.size(); ++t) {
    if (!agent.steps[t].moment.violation) continue;
    const Vec2 from = position_of(agent, t == 0 ? 0 : t - 1), at = position_of(agent, t + 1);
    const double length = std::hypot(at.x - from.x, at.y - from.y);
    const double scale = length > 0 ? 0.016 / length : 0;
    const double nx = -(at.y - from.y) * scale, ny = (at.x - from.x) * scale;
    out += line({at.x - nx, at.y - ny}, {at.x + nx, at.y + ny}, "stroke=\"#d32f2f\" stroke-width=\"2\"");
  }
  return out;
}

std::string panel(const NavigationRecording& r, const NavigationAgent& agent) {
  std::string out = "<use href=\"#ground\"/>" + trail(agent) + contacts(agent);
  // the robot when the crate was moved
  if (r.dragged && static_cast<std::size_t>(r.dragged->at) < agent.steps.size()) {
    out += circle(position_of(agent, static_cast<std::size_t>(r.dragged->at)), 0.013,
                  "fill=\"#dd9a3c\" stroke=\"#fff\" stroke-width=\"1.5\"");
  }
  out += circle(agent.end, 0.018, "fill=\"#1f2933\" stroke=\"#fff\" stroke-width=\"1.5\"");
  return out + "<rect width=\"300\" height=\"300\" fill=\"none\" stroke=\"#e2e7ec\"/>";
}

}  // namespace

std::string NavigationRecording::figure() const {
  const NavigationRecording& r = *this;
  const std::string definitions =
      "<filter id=\"soft\"><feGaussianBlur stdDeviation=\"5\"/></filter><clipPath id=\"square\"><rect width=\"300\" "
      "height=\"300\"/></clipPath><g id=\"ground\" clip-path=\"url(#square)\">" +
      ground(r) + "</g>";
  std::vector<web::Panel> panels;
  for (const NavigationAgent& agent : r.agents) panels.push_back(benchmark::panel_of(agent.caption, panel(r, agent)));
  web::Key key;
  if (r.dragged) key.emplace_back("#dd9a3c", "dragged obstacle; the robot then");
  key.emplace_back("#d32f2f", "contact");
  key.emplace_back("#6aa9e9", "thick: the correction gained much");
  return web::figure_panels({}, r.title, definitions, panels, "home", key);
}

}  // namespace elastane::navigation
