#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/benchmark/figure.h"
#include "lab/maze/recording.h"

namespace elastane::maze {
namespace {

constexpr double kSide = 300;  // of a panel

double unit(const MazeRecording& r) { return kSide / std::max(r.width, r.height); }

std::string square(const MazeRecording& r, Cell c, double inset, const std::string& look) {
  const double side = unit(r), left = c.x * side + inset, top = c.y * side + inset;
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}/>", left, top,
                     side - 2 * inset, side - 2 * inset, look);
}

std::string dot(const MazeRecording& r, Cell c, double radius, const std::string& look) {
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" {}/>", (c.x + 0.5) * unit(r),
                     (c.y + 0.5) * unit(r), radius * unit(r), look);
}

// the maze; doors as they are at the start, orange where they change
std::string ground(const MazeRecording& r) {
  std::string out = fmt::format("<rect width=\"{0}\" height=\"{0}\" fill=\"#fcfbf8\"/>", kSide);
  for (int i = 0; i < r.width * r.height; ++i) {
    if (r.walls[static_cast<std::size_t>(i)] != 0)
      out += square(r, {i % r.width, i / r.width}, -0.15, "fill=\"#4b5663\"");
  }
  for (const MazeDoor& door : r.doors) {
    const char* colour = door.closed_before == door.closed_after ? "#8a5a2b" : "#dd9a3c";
    out += door.closed_before
               ? square(r, door.cell, 0, fmt::format("fill=\"{}\"", colour))
               : square(r, door.cell, 1.5, fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"2\"", colour));
  }
  out += dot(r, r.goal, 0.38, "fill=\"none\" stroke=\"#1f8a5b\" stroke-width=\"3\"");
  return out + dot(r, r.start, 0.38, "fill=\"none\" stroke=\"#1f2933\" stroke-width=\"1.5\"");
}

// mean K at each cell, over episodes from every cell; as in player/maze.js
std::string heat(const MazeRecording& r, const MazeAgent& agent) {
  std::string out;
  for (int i = 0; i < r.width * r.height; ++i) {
    const double k = agent.heat[static_cast<std::size_t>(i)];
    if (!(k > 0)) continue;
    out += square(r, {i % r.width, i / r.width}, 0,
                  fmt::format("fill=\"#6d28c9\" opacity=\"{:.2f}\"", std::clamp(0.12 + 0.24 * k, 0.12, 0.9)));
  }
  return out;
}

std::string trail(const MazeRecording& r, const MazeAgent& agent) {
  std::string points, dots;
  const auto add = [&](Cell c, std::size_t step) {
    const double aside = (static_cast<double>(step % 7) - 3) * 0.025;  // repeated paths are drawn side by side
    points += fmt::format("{:.1f},{:.1f} ", (c.x + 0.5 + aside) * unit(r), (c.y + 0.5 + aside) * unit(r));
  };
  for (std::size_t t = 0; t < agent.steps.size(); ++t) {
    const MazeStep& step = agent.steps[t];
    add(step.position, t);
    if (step.moment.depth == 0) continue;
    dots += dot(r, step.position, 0.16 + 0.07 * std::min(step.moment.depth, 4),
                fmt::format("fill=\"{}\"", web::depth_colour(step.moment.depth)));
  }
  add(agent.end, agent.steps.size());
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"#8f9ba8\" stroke-width=\"2\"/>", points) + dots;
}

}  // namespace

std::string MazeRecording::figure() const {
  const MazeRecording& r = *this;
  std::vector<web::Panel> panels;
  for (const MazeAgent& agent : r.agents) {
    panels.push_back(
        benchmark::panel_of(agent.caption, "<use href=\"#ground\"/>" + heat(r, agent) + trail(r, agent) +
                                               dot(r, agent.end, 0.28, "fill=\"#1f2933\" stroke=\"#fff\"")));
  }
  const web::Key key = {{"#6d28c9", "shaded: mean K there, over all starts"},
                        {"#8a5a2b", "closed door"},
                        {"#dd9a3c", "door that changes"}};
  return web::figure_panels({}, r.title, "<g id=\"ground\">" + ground(r) + "</g>", panels, "arrived", key);
}

}  // namespace elastane::maze
