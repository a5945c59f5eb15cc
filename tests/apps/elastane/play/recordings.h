// Recordings that nobody played, as rich as real ones, to draw and to look at.
#pragma once

#include <cmath>
#include <limits>
#include <numbers>

#include "elastane/core/base/random.h"
#include "lab/maze/recording.h"
#include "lab/navigation/recording.h"
#include "lab/peptide/recording.h"

namespace elastane::benchmark {

inline navigation::NavigationAgent made_up_drive(const navigation::NavigationRecording& r, const std::string& name,
                                                 const std::string& what, int most_depth, double swerve, bool success) {
  navigation::NavigationAgent agent{.caption = {.name = name, .what = what, .success = success}};
  const int steps = success ? 92 : 140;
  Random random(static_cast<std::uint64_t>(most_depth) + 3);
  const auto place = [&](double t) {
    const double share = success ? t / steps : std::min(t / steps, 0.46) + 0.004 * std::sin(t);
    const double bow = swerve * std::exp(-std::pow((share - 0.56) / 0.2, 2));
    return navigation::Vec2{r.start.x + share * (r.goal.x - r.start.x) - bow * 0.55,
                             r.start.y + share * (r.goal.y - r.start.y) + bow + 0.03 * std::sin(6 * share)};
  };
  for (int t = 0; t < steps; ++t) {
    const bool alarmed = t > r.dragged->at && t < r.dragged->at + 26;
    navigation::NavigationStep s;
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

inline navigation::NavigationRecording made_up_navigation() {
  navigation::NavigationRecording r(7, 12);
  r.title = "A crate is placed on the path";
  r.story =
      "A robot drives home over hilly ground with noisy distance rays. In mid-drive somebody leaves a crate on its "
      "way.";
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
  r.dragged = navigation::Dragged{.radius = 0.075, .from = {0.9, 0.12}, .to = {0.53, 0.51}, .at = 38};
  for (int t = 0; t < 140; ++t) r.moving.push_back({{{0.15 + 0.001 * t, 0.9 - 0.002 * t}, 0.03}});
  r.events = {{80, "rays fail"}, {84, "rays are back"}};
  for (int t = 0; t < 140; ++t) r.wind.push_back({0.004 * std::cos(0.02 * t), 0.004 * std::sin(0.02 * t)});
  r.agents = {made_up_drive(r, "frozen", "the policy as it was trained", 0, 0, false),
              made_up_drive(r, "euclidean", "one Euclidean trust-region step", 1, 0.12, true),
              made_up_drive(r, "exact", "the exact pullback metric", 3, 0.16, true)};
  return r;
}

// residues on a line that curls up
inline peptide::PeptideAgent made_up_fold(const peptide::PeptideRecording& r, const std::string& name, double pace,
                                          bool success) {
  peptide::PeptideAgent agent{
      .caption = {.name = name, .what = "curls up", .success = success, .steps = success ? 31 : 80}};
  const auto n = static_cast<int>(r.sequence.size());
  for (int t = 0; t < 80; ++t) {
    const double curl = 0.1 + 0.5 * (1 - std::exp(-pace * std::max(0, t - 16)));
    peptide::PeptideStep s;
    std::vector<peptide::Vector3> trace;
    peptide::Vector3 at = {0, 0, 0};
    for (int i = 0; i < n; ++i) {
      trace.push_back(at);
      at = {at[0] + 3.4 * std::cos(curl * i), at[1] + 3.4 * std::sin(curl * i), at[2] + 1.3 * std::cos(1.7 * i)};
    }
    for (int i = 0; i < n; ++i) {
      const peptide::Vector3 c = trace[static_cast<std::size_t>(i)];
      const double turn = 1.7 * i;
      s.atoms.push_back({c[0] - 1.0, c[1] - 0.7, c[2] + 0.4});                                    // N
      s.atoms.push_back(c);                                                                       // CA
      s.atoms.push_back({c[0] + 0.9, c[1] + 0.8, c[2] + 0.3});                                    // C
      s.atoms.push_back({c[0] + 1.1, c[1] + 1.8 * std::cos(turn), c[2] + 1.2});                   // O
      s.atoms.push_back({c[0] - 0.3, c[1] + 1.2 * std::sin(turn), c[2] - 1.3 * std::cos(turn)});  // CB
      s.torsions.push_back({-1.1 - 0.9 * std::sin(0.1 * t + i), i % 2 == 0 ? -0.7 - curl : 2.3 - curl * i * 0.1});
    }
    const peptide::Vector3 &a = trace[1], &b = trace[static_cast<std::size_t>(n) - 2];
    s.distance = t < 16 ? 0 : std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    s.contact = t < 16 ? 0 : 4 * std::pow(std::max(0.0, s.distance - 5.5), 2);
    s.clash = 2 + std::sin(0.7 * t);
    s.ramachandran = 1.0 + 0.5 * std::cos(0.3 * t);
    s.smooth = 0.1;
    if (t % 9 == 4 && !success) s.clashes = {{3, 24}, {12, 30}};
    s.moment = {.depth = s.distance > 6 ? 1 + t % 3 : 0,
                .radius = pace > 0.04 ? 0.2 + 0.1 * std::sin(0.2 * t) : 0,
                .loss_before = s.contact + 3,
                .loss_after = s.contact + 2,
                .violation = !s.clashes.empty()};
    agent.caption.violations += s.moment.violation ? 1 : 0;
    agent.steps.push_back(std::move(s));
  }
  return agent;
}

inline peptide::PeptideRecording made_up_peptide() {
  peptide::PeptideRecording r(3, 5);
  r.title = "A contact appears in mid-stream", r.sequence = "GAVLKDEFSA";
  r.story = "A peptide of ten residues is asked to bring two of them within 6 Å, without clashes.";
  for (int i = 0; i < 10; ++i) {
    const int first = 5 * i;
    r.atoms.insert(r.atoms.end(), {{'N', "N", i}, {'C', "CA", i}, {'C', "C", i}, {'O', "O", i}, {'C', "CB", i}});
    r.bonds.insert(r.bonds.end(),
                   {{first, first + 1}, {first + 1, first + 2}, {first + 2, first + 3}, {first + 1, first + 4}});
    if (i > 0) r.bonds.push_back({first - 3, first});
  }
  r.contacts = {{.at = 16, .i = 1, .j = 8}, {.at = 56, .i = 2, .j = 7}};
  r.ramachandran_bins = 36;
  for (int row = 0; row < 36; ++row) {
    for (int column = 0; column < 36; ++column) {
      const double phi = (column + 0.5) / 18 * 180 - 180, psi = (row + 0.5) / 18 * 180 - 180;
      const double helix = std::exp(-(std::pow(phi + 65, 2) + std::pow(psi + 42, 2)) / 900);
      const double sheet = std::exp(-(std::pow(phi + 110, 2) / 2000 + std::pow(psi - 135, 2) / 1300));
      const double most = std::max(helix, sheet);
      r.ramachandran.push_back(most > 0.15 ? most : 0);
    }
  }
  r.agents = {made_up_fold(r, "frozen", 0.01, false), made_up_fold(r, "SE(3) + MPC", 0.03, true),
              made_up_fold(r, "exact", 0.08, true)};
  return r;
}

// a corridor of nine cells with a door in the middle, which opens
inline maze::MazeRecording made_up_maze() {
  maze::MazeRecording r(4, 6);
  r.title = "A corridor", r.story = "A door opens.", r.width = 9, r.height = 3;
  for (int i = 0; i < 27; ++i) r.walls.push_back(i / 9 == 1 ? 0 : 1);
  r.walls[13] = 1;
  r.doors = {{.cell = {4, 1}, .closed_before = true, .closed_after = false}};
  r.change_at = 5;
  r.start = {0, 1}, r.goal = {8, 1};
  r.shortest = 8;
  for (const char* name : {"k0", "esm"}) {
    maze::MazeAgent agent{.caption = {.name = name, .what = "walks", .success = true, .steps = 10}};
    for (int t = 0; t < 10; ++t) {
      const int x = t < 4 ? t : t < 6 ? 3 : t - 2;
      agent.steps.push_back({.moment = {.depth = t == 3 ? 2 : 0, .loss_before = 0.1}, .position = {x, 1}});
      agent.steps.back().lengths.assign(27, -1);
    }
    agent.end = {8, 1};
    agent.heat.assign(27, std::numeric_limits<double>::quiet_NaN());
    agent.heat[12] = 2;
    r.agents.push_back(agent);
  }
  return r;
}

}  // namespace elastane::benchmark
