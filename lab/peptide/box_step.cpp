#include "lab/peptide/box_step.h"

#include <algorithm>
#include <cmath>

#include "elastane/core/math/dense.h"

namespace elastane::peptide {
namespace {

constexpr int kPasses = 4;  // after the last one, what leaves the box is clamped

}  // namespace

BoxStep::BoxStep(int max_unknowns) : k_(kernels().value()) {
  const auto n = static_cast<std::size_t>(double_stride(max_unknowns));
  free_.reserve(n), system_.resize(n * n), part_.resize(n);
}

// the steps of the free unknowns; those of the others are in `step`
bool BoxStep::solve_free(ConstDoubleRows a, std::span<const double> slope, std::span<double> step) {
  const auto n = static_cast<int>(free_.size());
  const int stride = double_stride(n);
  for (const int t : free_) step[static_cast<std::size_t>(t)] = 0;
  for (int i = 0; i < n; ++i) {
    const double* row = a[free_[static_cast<std::size_t>(i)]];
    double known = slope[static_cast<std::size_t>(free_[static_cast<std::size_t>(i)])];
    for (int s = 0; s < a.count; ++s) known += row[s] * step[static_cast<std::size_t>(s)];
    part_[static_cast<std::size_t>(i)] = -known;
    for (int j = 0; j < n; ++j)
      system_[static_cast<std::size_t>(i * stride + j)] = row[free_[static_cast<std::size_t>(j)]];
  }
  if (!k_->cholesky(system_.data(), n, stride)) return false;
  solve_cholesky(system_.data(), n, stride, part_.data());
  for (std::size_t i = 0; i < free_.size(); ++i) step[static_cast<std::size_t>(free_[i])] = part_[i];
  return true;
}

bool BoxStep::solve(ConstDoubleRows a, std::span<const double> slope, std::span<const double> y,
                    std::span<double> step) {
  free_.clear();
  for (int t = 0; t < a.count; ++t) free_.push_back(t);
  std::fill_n(step.begin(), a.count, 0.0);
  for (int pass = 0; pass < kPasses && !free_.empty(); ++pass) {
    if (!solve_free(a, slope, step)) return false;
    // hold what leaves the box at its border
    const auto leaves = [&](int t) {
      const auto at = static_cast<std::size_t>(t);
      const double there = y[at] + step[at];
      if (std::fabs(there) <= 1) return false;
      step[at] = (there > 0 ? 1 : -1) - y[at];
      return true;
    };
    if (std::erase_if(free_, leaves) == 0) break;
  }
  return true;
}

}  // namespace elastane::peptide
