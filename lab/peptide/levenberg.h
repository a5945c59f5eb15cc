// Levenberg–Marquardt on a move: damped Gauss–Newton steps in torsions, within the largest move of a step.
#pragma once

#include <vector>

#include "elastane/core/math/kernels.h"
#include "lab/peptide/box_step.h"
#include "lab/peptide/objective.h"

namespace elastane::peptide {

struct LevenbergOptions {
  int iterations = 1;     // steps tried
  double damping = 0.05;  // λ at the start, added to W's diagonal; a rejected step raises it, an accepted one lowers it
  bool boxed = false;     // if a step is too long: true stops each torsion at its own limit, false shortens all alike
};

struct LevenbergReport {
  int accepted = 0, tried = 0;
  double before = 0, value = 0;  // ℓ of the proposal, clamped to ±1, and at the end
  double condition = 1;
};

class Levenberg {
 public:
  explicit Levenberg(const LevenbergOptions& options = {});

  // y: a proposal, clamped to ±1 and then improved; left there if nothing better is found
  LevenbergReport improve(const MoveObjective& move, std::span<double> y);

  // multiply-adds of one iteration, without those of the energy
  static std::int64_t macs(int torsions) { return BoxStep::macs(torsions); }

 private:
  double fill_system(const MoveObjective& move, std::span<const double> y, double damping);
  bool step_from(std::span<const double> y, int n);

  const Kernels* k_;
  LevenbergOptions options_;
  BoxStep box_;
  std::array<double, kMaxTorsions*(kMaxTorsions + 2)> system_;  // W + λI, rows of 24
  std::array<double, kMaxTorsions + 2> step_, slope_, trial_;
};

}  // namespace elastane::peptide
