// Levenberg–Marquardt on a move: damped Gauss–Newton steps in torsions, within what a step may move.
#pragma once

#include <vector>

#include "elastane/core/math/kernels.h"
#include "lab/peptide/box_step.h"
#include "lab/peptide/next_move.h"

namespace elastane::peptide {

struct DescentOptions {
  int iterations = 1;     // steps that are tried
  double damping = 0.05;  // λ at the start, added to W's diagonal; a refused step raises it, an accepted one lowers it
  bool boxed = false;     // a step too long: each torsion ends at its own limit, or all are shortened alike
};

// what it did
struct DescentReport {
  int accepted = 0, tried = 0;
  double before = 0, value = 0;  // ℓ of the proposal, within ±1, and at the end
  double condition = 1;
};

class Descent {
 public:
  explicit Descent(const DescentOptions& options = {});

  // y: a proposal, replaced by what is better or left as it is, and then within ±1
  DescentReport improve(const NextMove& move, std::span<double> y);

  // multiply-adds of one iteration, but for the energy's
  static std::int64_t macs(int torsions) { return BoxStep::macs(torsions); }

 private:
  bool step_from(std::span<const double> y, int n);

  const Kernels* k_;
  DescentOptions options_;
  BoxStep box_;
  std::array<double, kMostTorsions*(kMostTorsions + 2)> system_;  // W + λI, rows of 24
  std::array<double, kMostTorsions + 2> step_, slope_, trial_;
};

}  // namespace elastane::peptide
