#include "lab/peptide/descent.h"

#include <algorithm>

#include "elastane/core/math/dense.h"

namespace elastane::peptide {
namespace {

constexpr int kStride = double_stride(kMostTorsions);
constexpr double kHarder = 8, kEasier = 0.3, kMostDamping = 1e4;

}  // namespace

Descent::Descent(const DescentOptions& options) : k_(kernels().value()), options_(options), box_(kMostTorsions) {}

// trial ← y + s, within ±1
bool Descent::step_from(std::span<const double> y, int n) {
  const auto torsions = static_cast<std::size_t>(n);
  if (options_.boxed) {
    if (!box_.solve({system_.data(), n, kStride}, slope_, y, step_)) return false;
    for (std::size_t t = 0; t < torsions; ++t) trial_[t] = y[t] + step_[t];
    return true;
  }
  if (!k_->cholesky(system_.data(), n, kStride)) return false;
  for (std::size_t t = 0; t < torsions; ++t) step_[t] = -slope_[t];
  solve_cholesky(system_.data(), n, kStride, step_.data());
  // shortened as a whole: cut one by one, what is left of a step need not lead downhill
  double most = 1;
  for (std::size_t t = 0; t < torsions; ++t) most = std::max(most, std::fabs(y[t] + step_[t]));
  for (std::size_t t = 0; t < torsions; ++t) trial_[t] = (y[t] + step_[t]) / most;
  return true;
}

DescentReport Descent::improve(const NextMove& move, std::span<double> y) {
  const int n = move.energy().chain().torsions();
  const auto torsions = static_cast<std::size_t>(n);
  for (std::size_t t = 0; t < torsions; ++t) y[t] = std::clamp(y[t], -1.0, 1.0);
  DescentReport report{.before = move.value(y)};
  report.value = report.before;
  double damping = options_.damping;
  while (report.tried < options_.iterations && damping < kMostDamping) {
    move.gradient(y.first(torsions), std::span(slope_).first(torsions));
    const ConstDoubleRows w = move.curvature(y);
    double trace = 0;
    for (int t = 0; t < n; ++t) {
      std::copy_n(w[t], n, system_.data() + t * kStride);
      trace += w[t][t];
      system_[static_cast<std::size_t>(t * kStride + t)] += damping;
    }
    report.condition = 1 + trace / damping;
    ++report.tried;
    if (step_from(y, n)) {
      const double value = move.value(trial_);
      if (value < report.value) {
        std::copy_n(trial_.begin(), torsions, y.begin());
        report.value = value;
        ++report.accepted;
        damping *= kEasier;
        continue;
      }
    }
    damping *= kHarder;
  }
  return report;
}

}  // namespace elastane::peptide
