// One Newton step within a box: min ½sᵀAs + gᵀs with −1 ≤ y + s ≤ 1.
//
// A step that leaves the box is not shortened as a whole, which makes every torsion wait for the one with the longest
// way; those that would leave it are held at its border, and the others solved again. None is let go again, so it need
// not be the minimum, nor always lead downhill: who takes the step looks at the loss first, as for any other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "elastane/core/base/view.h"
#include "elastane/core/math/kernels.h"

namespace elastane::peptide {

class BoxStep {
 public:
  explicit BoxStep(int most);  // unknowns

  // A symmetric and positive, y within the box; false, and a step of no meaning, where A is not
  bool solve(ConstColumns a, std::span<const double> slope, std::span<const double> y, std::span<double> step);

  static std::int64_t madds(int n) { return std::int64_t{n} * n * (n + 9) / 6; }  // of one pass

 private:
  bool solve_free(ConstColumns a, std::span<const double> slope, std::span<const double> y);

  const Kernels* k_;
  //                                 meaning                                 shape
  std::vector<double> system_;  // A of those that are free             [n][n], padded
  std::vector<double> step_;    // s                                    [n]
  std::vector<double> held_;    // the border at which one is held      [n]; 0: none
};

}  // namespace elastane::peptide
