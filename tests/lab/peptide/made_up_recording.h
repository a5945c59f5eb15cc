// A recording that was never played, as rich as a real one, to draw and to look at.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "lab/peptide/recording.h"

namespace elastane::peptide {

// residues on a line that curls up
inline PeptideAgent made_up_fold(const PeptideRecording& r, const std::string& name, double pace, bool success) {
  PeptideAgent agent{.caption = {.name = name, .what = "curls up", .success = success, .steps = success ? 31 : 80}};
  const auto n = static_cast<int>(r.sequence.size());
  for (int t = 0; t < 80; ++t) {
    const double curl = 0.1 + 0.5 * (1 - std::exp(-pace * std::max(0, t - 16)));
    PeptideStep s;
    std::vector<Vec3> trace;
    Vec3 at = {0, 0, 0};
    for (int i = 0; i < n; ++i) {
      trace.push_back(at);
      at = {at.x + 3.4 * std::cos(curl * i), at.y + 3.4 * std::sin(curl * i), at.z + 1.3 * std::cos(1.7 * i)};
    }
    for (int i = 0; i < n; ++i) {
      const Vec3 c = trace[static_cast<std::size_t>(i)];
      const double turn = 1.7 * i;
      s.atoms.push_back({c.x - 1.0, c.y - 0.7, c.z + 0.4});                                    // N
      s.atoms.push_back(c);                                                                    // CA
      s.atoms.push_back({c.x + 0.9, c.y + 0.8, c.z + 0.3});                                    // C
      s.atoms.push_back({c.x + 1.1, c.y + 1.8 * std::cos(turn), c.z + 1.2});                   // O
      s.atoms.push_back({c.x - 0.3, c.y + 1.2 * std::sin(turn), c.z - 1.3 * std::cos(turn)});  // CB
      s.torsions.push_back({-1.1 - 0.9 * std::sin(0.1 * t + i), i % 2 == 0 ? -0.7 - curl : 2.3 - curl * i * 0.1});
    }
    const Vec3 &a = trace[1], &b = trace[static_cast<std::size_t>(n) - 2];
    s.distance = t < 16 ? 0 : std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
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

inline PeptideRecording made_up_peptide() {
  PeptideRecording r(3, 5);
  r.title = "A contact appears in mid-stream", r.sequence = "GAVLKDEFSA";
  r.summary = "A peptide of ten residues is asked to bring two of them within 6 Å, without clashes.";
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

}  // namespace elastane::peptide
