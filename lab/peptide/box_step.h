// One Newton step within a box: min ½sᵀAs + gᵀs with −1 ≤ y + s ≤ 1.
//
// A step that leaves the box is not shortened as a whole, which would make every torsion wait for the one that has
// farthest to go. Torsions that would leave the box are held at its border, and the others are solved again. None is
// released later, so the result need not be the minimum, nor always lead downhill: the caller compares the loss before
// taking the step, as with any other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "elastane/core/base/view.h"
#include "elastane/core/math/kernels.h"

namespace elastane::peptide {

class BoxStep {
 public:
  explicit BoxStep(int max_unknowns);

  // A symmetric and positive definite, y within the box; false, and an undefined step, where A is not
  bool solve(ConstDoubleRows a, std::span<const double> slope, std::span<const double> y, std::span<double> step);

  static std::int64_t macs(int n) { return std::int64_t{n} * n * (n + 9) / 6; }  // of one pass

 private:
  bool solve_free(ConstDoubleRows a, std::span<const double> slope, std::span<double> step);

  const Kernels* k_;
  //                               meaning                                  shape
  std::vector<int> free_;       // unknowns that are not held               [at most n]
  std::vector<double> system_;  // A of those                               [free][free], padded
  std::vector<double> part_;    // s of those                               [free]
};

}  // namespace elastane::peptide
