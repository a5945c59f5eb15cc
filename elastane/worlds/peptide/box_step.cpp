#include "elastane/worlds/peptide/box_step.h"

#include <algorithm>
#include <cmath>

#include "elastane/core/math/dense.h"

namespace elastane::peptide {
namespace {

constexpr int kPasses = 4;  // what leaves the box after those is cut

}  // namespace

BoxStep::BoxStep(int most) : k_(kernels().value()) {
  const auto n = static_cast<std::size_t>(column_stride(most));
  system_.resize(n * n), step_.resize(n), held_.resize(n);
}

// those that are held have a row of their own, and their share of the others' rows is known
bool BoxStep::solve_free(ConstColumns a, std::span<const double> slope, std::span<const double> y) {
  const int n = a.count, stride = column_stride(n);
  for (int t = 0; t < n; ++t) {
    const auto at = static_cast<std::size_t>(t);
    double* row = system_.data() + t * stride;
    const bool held = held_[at] != 0;
    step_[at] = held ? held_[at] - y[at] : -slope[at];
    for (int s = 0; s < n; ++s) {
      const auto other = static_cast<std::size_t>(s);
      const bool free = !held && held_[other] == 0;
      row[s] = free ? a[t][s] : 0.0;
      if (!held && held_[other] != 0) step_[at] -= a[t][s] * (held_[other] - y[other]);
    }
    if (held) row[t] = 1;
  }
  if (!k_->cholesky(system_.data(), n, stride)) return false;
  solve_cholesky(system_.data(), n, stride, step_.data());
  return true;
}

bool BoxStep::solve(ConstColumns a, std::span<const double> slope, std::span<const double> y, std::span<double> step) {
  const auto n = static_cast<std::size_t>(a.count);
  std::fill_n(held_.begin(), n, 0.0);
  bool leaves = true;
  for (int pass = 0; pass < kPasses && leaves; ++pass) {
    if (!solve_free(a, slope, y)) return false;
    leaves = false;
    for (std::size_t t = 0; t < n; ++t) {
      const double there = y[t] + step_[t];
      if (held_[t] != 0 || std::fabs(there) <= 1) continue;
      held_[t] = there > 0 ? 1 : -1;
      leaves = true;
    }
  }
  for (std::size_t t = 0; t < n; ++t) step[t] = std::clamp(y[t] + step_[t], -1.0, 1.0) - y[t];
  return true;
}

}  // namespace elastane::peptide
