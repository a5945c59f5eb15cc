// A recording that was never played, as rich as a real one, to draw and to look at.
#pragma once

#include <cmath>
#include <limits>
#include <numbers>

#include "elastane/core/base/random.h"
#include "lab/navigation/recording.h"

namespace elastane::navigation {

inline NavigationAgent made_up_drive(const NavigationRecording& r, const std::string& name, const std::string& what,
                                     int most_depth, double swerve, bool success) {
  NavigationAgent agent{.caption = {.name = name, .what = what, .success = success}};
  const int steps = success ? 92 : 140;
  Random random(static_cast<std::uint64_t>(most_depth) + 3);
  const auto place = [&](double t) {
    const double share = success ? t / steps : std::min(t / steps, 0.46) + 0.004 * std::sin(t);
    const double bow = swerve * std::exp(-std::pow((share - 0.56) / 0.2, 2));
    return Vec2{r.start.x + share * (r.goal.x - r.start.x) - bow * 0.55,
                r.start.y + share * (r.goal.y - r.start.y) + bow + 0.03 * std::sin(6 * share)};
  };
  for (int t = 0; t < steps; ++t) {
    const bool alarmed = t > r.dragged->at && t < r.dragged->at + 26;
    NavigationStep s;
    s.moment.depth = alarmed && most_depth > 0 ? 1 + random.below(most_depth)
                     : random.below(9) == 0    ? most_depth / 2
                                               : 0;
    s.moment.radius = most_depth == 0 ? 0 : alarmed ? 0.1 + 0.05 * random.uniform() : 0.3 + 0.1 * std::sin(t * 0.1);
    s.moment.loss_before = (alarmed ? 3.0 : 0.12) * (0.8 + 0.4 * random.uniform());
    s.moment.loss_after = s.moment.loss_before * (s.moment.depth > 0 ? 0.3 : 1);
    s.moment.violation = !success && t > 60 && t % 4 == 0;
    agent.caption.violations += s.moment.violation ? 1 : 0;
    s.position = place(t);
    for (int k = 1; k <= 8; ++k) s.plan.push_back(place(t + 2 * k));
    for (int i = 0; i < 24; ++i) {
      const double a = 2 * std::numbers::pi * i / 24;
      if (t >= 80 && t < 84) {
        s.rays.push_back(std::numeric_limits<double>::quiet_NaN());
        continue;
      }
      s.rays.push_back(std::min(r.range, 0.12 + 0.2 * std::abs(std::sin(a + 0.05 * t))));
    }
    agent.steps.push_back(std::move(s));
  }
  agent.caption.steps = steps;
  agent.end = place(steps);
  return agent;
}

inline NavigationRecording made_up_navigation() {
  NavigationRecording r(7, 12);
  r.title = "A crate is placed on the path";
  r.summary =
      "A robot drives home over hilly ground with noisy distance rays. During the drive a crate is placed on its "
      "path.";
  r.columns = 48;
  for (int row = 0; row < r.columns; ++row) {
    for (int column = 0; column < r.columns; ++column) {
      const double x = (column + 0.5) / r.columns, y = (row + 0.5) / r.columns;
      r.heights.push_back(0.2 * std::exp(-20 * (std::pow(x - 0.3, 2) + std::pow(y - 0.7, 2))) +
                          0.15 * std::exp(-30 * (std::pow(x - 0.75, 2) + std::pow(y - 0.25, 2))));
    }
  }
  r.walls = {{{0.1, 0.42}, {0.34, 0.48}, 0.012}, {{0.62, 0.95}, {0.66, 0.72}, 0.012}};
  r.discs = {{{0.22, 0.2}, 0.06}, {{0.8, 0.5}, 0.05}, {{0.45, 0.86}, 0.07}};
  r.start = {0.12, 0.1};
  r.goal = {0.88, 0.86};
  r.dragged = Dragged{.radius = 0.075, .from = {0.9, 0.12}, .to = {0.53, 0.51}, .at = 38};
  for (int t = 0; t < 140; ++t) r.moving.push_back({{{0.15 + 0.001 * t, 0.9 - 0.002 * t}, 0.03}});
  r.events = {{80, "rays fail"}, {84, "rays are back"}};
  for (int t = 0; t < 140; ++t) r.wind.push_back({0.004 * std::cos(0.02 * t), 0.004 * std::sin(0.02 * t)});
  r.agents = {made_up_drive(r, "frozen", "the policy as it was trained", 0, 0, false),
              made_up_drive(r, "euclidean", "one Euclidean trust-region step", 1, 0.12, true),
              made_up_drive(r, "exact", "the exact pullback metric", 3, 0.16, true)};
  return r;
}

}  // namespace elastane::navigation
