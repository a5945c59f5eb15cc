// Real-time code only.
#include "elastane/core/forecast/readout.h"

#include <algorithm>
#include <cmath>

namespace elastane {
namespace {

// k ← Pφ; φᵀPφ
double spread_along(const ForecastKernels& kernels, int stride, const double* phi, DoubleRows covariance,
                    double* gain) {
  kernels.product(covariance, phi, gain);
  return kernels.dot(phi, gain, stride);
}

void scale(double* x, double by, int n) {
  for (int i = 0; i < n; ++i) x[i] *= by;
}

double take_kalman_gain(const GainRule& rule, const ForecastKernels& kernels, int features, const double* phi,
                        DoubleRows covariance, double* gain) {
  const int stride = covariance.stride;
  double spread = spread_along(kernels, stride, phi, covariance, gain);
  if (!(spread >= 0 && spread < 1e12)) {
    reset_covariance(rule.prior, features, covariance);
    spread = spread_along(kernels, stride, phi, covariance, gain);
  }
  const double lambda = 1 - std::fmin(1 - rule.forgetting, 2 * spread / features);
  const double c = 1 / (lambda + spread);
  kernels.shrink(gain, c, 1 / lambda, covariance);  // P ← (P − c(Pφ)(Pφ)ᵀ)/λ
  scale(gain, c, stride);
  return spread * c;
}

}  // namespace

void reset_covariance(double prior, int features, DoubleRows covariance) {
  for (int i = 0; i < covariance.count; ++i) {
    std::fill_n(covariance[i], covariance.stride, 0.0);
    if (i < features) covariance[i][i] = prior;
  }
}

double take_gain(const GainRule& rule, const ForecastKernels& kernels, int features, const double* phi,
                 DoubleRows covariance, double* gain) {
  const int stride = covariance.stride;
  if (rule.kind == Learning::kalman) return take_kalman_gain(rule, kernels, features, phi, covariance, gain);
  if (rule.kind == Learning::latent_covariance) {
    const double spread = rule.factor * spread_along(kernels, stride, phi, covariance, gain);
    if (!(spread >= 0 && spread < 1e12)) return 0;
    scale(gain, rule.factor / (1 + spread), stride);
    return spread / (1 + spread);
  }
  const double squares = kernels.dot(phi, phi, stride);
  // a longer gradient step would overshoot the label
  const double step = rule.kind == Learning::exact ? 1 / (rule.factor + squares)
                                                   : std::fmin(rule.factor, 1 / std::fmax(squares, 1e-12));
  for (int i = 0; i < stride; ++i) gain[i] = step * phi[i];
  return step * squares;
}

LatentCost LabelLatent::cost() const {
  const auto n = static_cast<std::int64_t>(reach_.size());
  return {.read = n, .jvp = n, .vjp = n, .solve = 2 * n};
}

void LabelLatent::output(std::span<const double> a, std::span<double> y) {
  for (std::size_t h = 0; h < reach_.size(); ++h) y[h] = before_[h] + reach_[h] * a[h];
}

void LabelLatent::jvp(ConstDoubleRows q, DoubleRows jq) {
  for (int i = 0; i < q.count; ++i) {
    for (std::size_t h = 0; h < reach_.size(); ++h) jq[i][h] = reach_[h] * q[i][h];
  }
}

void LabelLatent::second(std::span<const double>, std::span<double> d2) { std::ranges::fill(d2, 0.0); }

bool LabelLatent::solve(const Objective& objective, std::span<const double> y, std::span<const double> gradient,
                        std::span<double> v) {
  if (!objective.diagonal(y, v)) return false;  // w, which v then is divided by
  for (std::size_t h = 0; h < reach_.size(); ++h) {
    const double weight = v[h] * reach_[h];
    v[h] = weight > 0 ? -gradient[h] / weight : 0.0;
  }
  return true;
}

}  // namespace elastane
