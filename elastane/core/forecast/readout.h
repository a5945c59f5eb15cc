// Adaptive read-outs, which learn from every label: ŷ_h = x + W_hᵀφ for h = 1 … H, with P shared by all h.
//
// The label of step h belongs to features that are h rows old, where J = φᵀ. However it is learned, the corrected weights lie
// along one direction, W_h + a_h k. The gain k follows from the features (anticipate); the label only determines a.
//
//   kalman              k = Pφ/(λ + φᵀPφ), P ← (P − kφᵀP)/λ      recursive least squares
//   latent_covariance   k = Pφ/(1 + φᵀPφ), P after fitting
//   exact               k = φ/(λ + φᵀφ)                          G = λI + φφᵀ
//   euclidean           k = μφ                                   the plain gradient
//
// Forgetting is gated: λ falls below 1 only as far as this row is informative, 1 − λ ≤ 2φᵀPφ/F.
// Otherwise P grows without bound in directions that no row excites.
#pragma once

#include <span>

#include "elastane/core/corrector/latent_model.h"
#include "elastane/core/forecast/forecaster_options.h"
#include "elastane/core/math/forecast_kernels.h"

namespace elastane {

struct GainRule {
  Learning kind = Learning::kalman;
  double forgetting = 1;  // kalman
  double factor = 1;      // latent_covariance: of P; exact: λ; euclidean: μ
  double prior = 1;       // P restarts from it if it stops being a covariance
};

// Sets k for these features and updates P, of which the lower blocks are stored (forecast_kernels.h).
// Returns φᵀk, the share of the error that a label removes; 0: there is no gain.
double take_gain(const GainRule& rule, const ForecastKernels& kernels, int features, const double* phi,
                 DoubleRows covariance, double* gain);

// P ← prior·I
void reset_covariance(double prior, int features, DoubleRows covariance);

// The labels of one row as a latent model for the corrector: the latent is a, one number per step of the horizon.
class LabelLatent final : public LatentModel {
 public:
  LabelLatent(std::span<const double> before, std::span<const double> reach) : before_(before), reach_(reach) {}

  int latents() const override { return static_cast<int>(reach_.size()); }
  int outputs() const override { return static_cast<int>(reach_.size()); }
  LatentCost cost() const override;

  void linearise(std::span<const double> a, std::span<double> y) override { output(a, y); }
  void output(std::span<const double> a, std::span<double> y) override;  // y_h = before_h + φᵀk a_h
  void jvp(ConstDoubleRows q, DoubleRows jq) override;
  void vjp(ConstDoubleRows w, DoubleRows jtw) override { jvp(w, jtw); }
  void second(std::span<const double> q, std::span<double> d2) override;
  void roll_point(DoubleRows) override {}
  void roll_tangent(std::span<const double>, DoubleRows) override {}
  void roll(std::span<const double>, DoubleRows) override {}
  // a = label − before, by the definition of k
  bool solve(const Objective& objective, std::span<const double> y, std::span<const double> gradient,
             std::span<double> v) override;

 private:
  std::span<const double> before_, reach_;
};

}  // namespace elastane
