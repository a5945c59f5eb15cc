#include "lab/peptide/levenberg.h"

#include <algorithm>

#include "elastane/core/math/dense.h"

namespace elastane::peptide {
namespace {

constexpr int kStride = double_stride(kMaxTorsions);
constexpr double kAfterRejection = 8, kAfterAcceptance = 0.3, kMaxDamping = 1e4;  // factors of λ, and where to give up

}  // namespace

Levenberg::Levenberg(const LevenbergOptions& options) : k_(kernels().value()), options_(options), box_(kMaxTorsions) {}

// trial ← y + s, within ±1
bool Levenberg::step_from(std::span<const double> y, int n) {
  const auto torsions = static_cast<std::size_t>(n);
  if (options_.boxed) {
    if (!box_.solve({system_.data(), n, kStride}, slope_, y, step_)) return false;
    for (std::size_t t = 0; t < torsions; ++t) trial_[t] = y[t] + step_[t];
    return true;
  }
  if (!k_->cholesky(system_.data(), n, kStride)) return false;
  for (std::size_t t = 0; t < torsions; ++t) step_[t] = -slope_[t];
  solve_cholesky(system_.data(), n, kStride, step_.data());
  // shortened as a whole: clamped element by element, the rest of a step need not lead downhill
  double longest = 1;
  for (std::size_t t = 0; t < torsions; ++t) longest = std::max(longest, std::fabs(y[t] + step_[t]));
  for (std::size_t t = 0; t < torsions; ++t) trial_[t] = (y[t] + step_[t]) / longest;
  return true;
}

// ∇ℓ and W + λI at y; returns the trace of W
double Levenberg::fill_system(const MoveObjective& move, std::span<const double> y, double damping) {
  const int n = move.energy().chain().torsions();
  const auto torsions = static_cast<std::size_t>(n);
  move.gradient(y.first(torsions), std::span(slope_).first(torsions));
  const ConstDoubleRows w = move.curvature(y);
  double trace = 0;
  for (int t = 0; t < n; ++t) {
    std::copy_n(w[t], n, system_.data() + t * kStride);
    trace += w[t][t];
    system_[static_cast<std::size_t>(t * kStride + t)] += damping;
  }
  return trace;
}

LevenbergReport Levenberg::improve(const MoveObjective& move, std::span<double> y) {
  const int n = move.energy().chain().torsions();
  const auto torsions = static_cast<std::size_t>(n);
  for (std::size_t t = 0; t < torsions; ++t) y[t] = std::clamp(y[t], -1.0, 1.0);
  LevenbergReport report{.before = move.value(y)};
  report.value = report.before;
  double damping = options_.damping;
  while (report.tried < options_.iterations && damping < kMaxDamping) {
    report.condition = 1 + fill_system(move, y, damping) / damping;
    ++report.tried;
    if (step_from(y, n)) {
      const double value = move.value(trial_);
      if (value < report.value) {
        std::copy_n(trial_.begin(), torsions, y.begin());
        report.value = value;
        ++report.accepted;
        damping *= kAfterAcceptance;
        continue;
      }
    }
    damping *= kAfterRejection;
  }
  return report;
}

}  // namespace elastane::peptide
