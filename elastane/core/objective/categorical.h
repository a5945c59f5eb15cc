// Cross entropy: outputs are logits, the target is a class or a probability for each.
//
//   p = softmax(y/T)     ℓ = −Σ q_i log p_i     ∇ℓ = (p − q)/T     W = (diag(p) − ppᵀ)/T² = ∇²ℓ, the Fisher matrix
//
// W changes with y. The square roots of the probabilities are flat coordinates for it: e(y) = 2√p has EᵀE = W exactly,
// so a second-order retraction needs no derivative of W. With c = (u − pᵀu)/T:
//
//   E u = √p ⊙ c     (Eᵀw)_j = (√p_j w_j − p_j Σ √p_i w_i)/T     D²e[u, u] = √p ⊙ (½c² − pᵀc²)
#pragma once

#include <cstddef>
#include <span>

#include "elastane/core/objective/objective.h"

namespace elastane {

// The target. A view: the caller's probabilities must outlive it and stay as they are.
// The objective is empty if the label is not a class, all probabilities are zero, or the temperature is not a positive
// finite number.
struct CategoricalTarget {
  int label = -1;                        // the class, 0 … classes − 1
  int classes = 0;                       // outputs beyond the classes do not count
  std::span<const float> probabilities;  // q of each class, in place of `label` and `classes`; need not sum to one
  double temperature = 1.0;              // T, which divides the logits (for Target it is a variance, τ²)
  bool lasts = false;                    // it is the target of the steps ahead, too
};

class Categorical final : public Objective {
 public:
  explicit Categorical(const CategoricalTarget& target);

  double value(std::span<const double> y) const override;
  void gradient(std::span<const double> y, std::span<double> gradient) const override;
  void gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const override;
  bool empty() const override { return !(mass_ > 0.0); }
  const Objective& at(int h) const override { return lasts_ ? *this : Objective::at(h); }
  void lag(std::span<const double> y, std::span<const double> moved, std::span<const double> u,
           std::span<double> out) const override;
  void acceleration(std::span<const double> y, std::span<const double> u, std::span<const double> a,
                    std::span<double> out) const override;

 private:
  // q_i before normalisation
  double share(std::size_t i) const;
  // the outputs that are logits; empty if there are too few, or the objective is empty
  std::span<const double> logits(std::span<const double> y) const;

  std::span<const float> probabilities_;
  std::size_t label_ = 0, classes_ = 0;
  double mass_ = 0.0;       // Σ share
  double sharpness_ = 1.0;  // 1/T
  bool lasts_ = false;
};

}  // namespace elastane
