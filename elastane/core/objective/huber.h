// Distance to a target that outliers cannot dominate: squared near it, linear beyond a threshold (Huber 1964).
//
//   r_i = (y_i − t_i)/(τσ_i)     ℓ = Σ ρ(r_i)     ρ(r) = ½r² for |r| ≤ δ, δ(|r| − ½δ) beyond
//
// W is the weight of iteratively reweighted least squares, (ρ'(r)/r)/(τσ)²: positive, and an upper bound of the Hessian,
// so a step is too short rather than too long. The Hessian itself was rejected: it is zero beyond δ, where the gradient
// still asks for a step.
#pragma once

#include "elastane/core/objective/objective.h"

namespace elastane {

class Huber final : public Objective {
 public:
  // δ in units of the noise τσ; 1.345 loses 5 % of the information if the noise is Gaussian (Huber 1981). If the
  // threshold is not a positive number, the objective is empty.
  explicit Huber(const Target& target, double threshold = 1.345);

  double value(std::span<const double> y) const override;
  void gradient(std::span<const double> y, std::span<double> gradient) const override;
  void gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const override;
  bool diagonal(std::span<const double> y, std::span<double> w) const override;
  bool empty() const override { return target_.empty(); }
  const Objective& at(int h) const override { return target_.lasts ? *this : Objective::at(h); }

 private:
  // W_ii at output y
  double curvature(std::size_t i, double y) const;

  Target target_;
  double threshold_;
};

}  // namespace elastane
