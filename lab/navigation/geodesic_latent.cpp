#include "lab/navigation/geodesic_latent.h"

#include <algorithm>
#include <cmath>

#include "elastane/core/math/inner.h"

namespace elastane::navigation {
namespace {

constexpr double kNoResidual = 1e-6;  // rounding

}  // namespace

GeodesicLatent::GeodesicLatent(const SiteMap& map) : map_(map), geodesic_(map), path_(map) {
  const auto n = static_cast<std::size_t>(map.count());
  z_.resize(n);
  solution_.resize(n);
  step_.resize(n);
  residual_.resize(kOutputs);
  begin();
}

void GeodesicLatent::begin() {
  std::ranges::fill(z_, Geodesic::kUnknown);
  path_.clear();
  solved_ = false;
}

void GeodesicLatent::observe() {
  if (path_.empty() || !path_.follow()) path_.take(z_);
}

void GeodesicLatent::commit(bool changed) {
  if (changed) path_.take(z_);
}

LatentCost GeodesicLatent::cost() const {
  const std::int64_t n = latents();
  return {.read = 4 * kOutputs, .jvp = n, .vjp = n, .solve = 8 * n};
}

void GeodesicLatent::linearise(std::span<const double> z, std::span<double> y) {
  point_ = z;
  solved_ = false;
  output(z, y);
  std::ranges::copy(y, residual_.begin());
}

void GeodesicLatent::output(std::span<const double> z, std::span<double> y) {
  std::ranges::fill(y, 0.0);
  const std::span<const int> cells = path_.ahead();
  y[0] = z[static_cast<std::size_t>(map_.at(map_.place()))] >= Geodesic::kUnknown ? 1.0 : 0.0;
  const int dock = map_.at({});
  for (std::size_t k = 0; k + 1 < y.size() && k < cells.size(); ++k) {
    const double d = z[static_cast<std::size_t>(cells[k])];
    if (d >= Geodesic::kUnknown || cells[k] == dock) continue;  // it promises nothing
    const double residual = d - Geodesic::update(map_, z, cells[k]);
    y[k + 1] = std::fabs(residual) <= kNoResidual ? 0.0 : residual;
  }
}

void GeodesicLatent::solve_at_point() {
  if (solved_) return;
  solved_ = true;
  geodesic_.march(map_.at(map_.place()), Geodesic::kBeyond, solution_);
  for (std::size_t i = 0; i < step_.size(); ++i) step_[i] = solution_[i] - point_[i];
  squares_ = dot(step_.data(), step_.data(), latents());
}

// J = −y vᵀ/vᵀv
void GeodesicLatent::jvp(ConstDoubleRows q, DoubleRows jq) {
  solve_at_point();
  for (int r = 0; r < q.count; ++r) {
    const double along = squares_ > 0 ? dot(q[r], step_.data(), latents()) / squares_ : 0.0;
    for (int k = 0; k < kOutputs; ++k) jq[r][k] = -along * residual_[static_cast<std::size_t>(k)];
  }
}

void GeodesicLatent::vjp(ConstDoubleRows w, DoubleRows jtw) {
  solve_at_point();
  for (int r = 0; r < w.count; ++r) {
    const double along = squares_ > 0 ? dot(w[r], residual_.data(), kOutputs) / squares_ : 0.0;
    for (int i = 0; i < latents(); ++i) jtw[r][i] = -along * step_[static_cast<std::size_t>(i)];
  }
}

void GeodesicLatent::second(std::span<const double> /*q*/, std::span<double> d2) { std::ranges::fill(d2, 0.0); }

// a map has no dynamics
void GeodesicLatent::roll(std::span<const double> z, DoubleRows y) {
  for (int h = 0; h < y.count; ++h) output(z, {y[h], static_cast<std::size_t>(kOutputs)});
}

void GeodesicLatent::roll_tangent(std::span<const double> v, DoubleRows dy) {
  for (int h = 0; h < dy.count; ++h) jvp({v.data(), 1, 0}, {dy[h], 1, 0});
}

bool GeodesicLatent::solve(const Objective& /*objective*/, std::span<const double> /*y*/,
                           std::span<const double> /*gradient*/, std::span<double> v) {
  solve_at_point();
  std::ranges::copy(step_, v.begin());
  return true;
}

double PathResidual::value(std::span<const double> y) const {
  return 0.5 * weight_ * dot(y.data(), y.data(), static_cast<int>(y.size()));
}

void PathResidual::gradient(std::span<const double> y, std::span<double> gradient) const {
  for (std::size_t i = 0; i < y.size(); ++i) gradient[i] = weight_ * y[i];
}

void PathResidual::gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const {
  for (int r = 0; r < directions.count; ++r) {
    for (std::size_t i = 0; i < y.size(); ++i) products[r][i] = weight_ * directions[r][i];
  }
}

}  // namespace elastane::navigation
