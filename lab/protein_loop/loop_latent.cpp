#include "lab/protein_loop/loop_latent.h"

#include <algorithm>
#include <cmath>

#include "elastane/core/math/dense.h"

namespace elastane::protein_loop {

LatentCost LoopLatent::cost() const {
  const Energy& energy = objective_->energy();
  const EnergyPoint& point = objective_->last();
  const std::int64_t n = latents();
  return {.read = energy.evaluation_macs(point),
          .jvp = 0,
          .vjp = 9 * std::int64_t{energy.chain().atoms()} + 9 * n,  // forces summed along the chain
          .second = 0,
          .solve = energy.curvature_macs(point) + n * (n + 1) * (n + 2) / 6 + n * n};
}

void LoopLatent::output(std::span<const double> z, std::span<double> y) { std::copy(z.begin(), z.end(), y.begin()); }

void LoopLatent::jvp(ConstDoubleRows q, DoubleRows jq) {
  for (int r = 0; r < q.count; ++r) std::copy_n(q[r], latents(), jq[r]);
}

void LoopLatent::second(std::span<const double> /*q*/, std::span<double> d2) { std::fill(d2.begin(), d2.end(), 0.0); }

void LoopLatent::roll_point(DoubleRows /*y*/) {}

void LoopLatent::roll_tangent(std::span<const double> v, DoubleRows dy) {
  for (int h = 0; h < dy.count; ++h) std::copy(v.begin(), v.end(), dy[h]);
}

void LoopLatent::roll(std::span<const double> z, DoubleRows y) {
  for (int h = 0; h < y.count; ++h) std::copy(z.begin(), z.end(), y[h]);
}

std::span<const double> LoopLatent::gate_features() const {
  const EnergyPoint& point = objective_->last();
  features_ = {std::log1p(point.gap_length()), std::log1p(point.terms.closure), std::log1p(point.terms.wall),
               std::log1p(point.terms.ramachandran)};
  return features_;
}

bool LoopLatent::solve(const Objective& objective, std::span<const double> y, std::span<const double> gradient,
                       std::span<double> v) {
  const int n = latents();
  const DoubleRows units{units_.data(), n, kStride}, system{system_.data(), n, kStride};
  for (int t = 0; t < n; ++t) {
    std::fill_n(units[t], kStride, 0.0);
    units[t][t] = 1;
  }
  objective.gauss_newton(y, units, system);  // W
  if (curvature_ == Curvature::diagonal) {
    for (int t = 0; t < n; ++t) {
      v[static_cast<std::size_t>(t)] = -gradient[static_cast<std::size_t>(t)] / (system[t][t] + damping_);
    }
    return true;
  }
  for (int t = 0; t < n; ++t) {
    system[t][t] += damping_;
    v[static_cast<std::size_t>(t)] = -gradient[static_cast<std::size_t>(t)];
  }
  if (!k_->cholesky(system_.data(), n, kStride)) return false;
  solve_cholesky(system_.data(), n, kStride, v.data());
  return true;
}

}  // namespace elastane::protein_loop
