// Squared distance to a target, in units of the noise: the negative logarithm of a Gaussian, without its constant.
//
//   ℓ = ½ Σ w_i (y_i − t_i)²     ∇ℓ = w ⊙ (y − t)     W = diag(w) = ∇²ℓ     w_i = 1/(τ²σ_i²), 0 where missing
//
// Make one for every step: it costs a few loads and no memory.
#pragma once

#include "elastane/core/objective/objective.h"

namespace elastane {

class Gaussian final : public Objective {
 public:
  explicit Gaussian(const Target& target) : target_(target), shared_(target.certainty(target.noise)) {}

  double value(std::span<const double> y) const override;
  void gradient(std::span<const double> y, std::span<double> gradient) const override;
  void gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const override;
  bool diagonal(std::span<const double> y, std::span<double> w) const override;
  bool empty() const override { return target_.empty(); }
  const Objective& at(int h) const override { return target_.lasts ? *this : Objective::at(h); }

 private:
  // the target's weight, without one division per channel where channels share their noise
  double weight(std::size_t i) const {
    return i < target_.noises.size() ? target_.weight(i) : target_.offers(i) ? shared_ : 0.0;
  }

  Target target_;
  double shared_;
};

}  // namespace elastane
