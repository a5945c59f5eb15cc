// What a map should be like: values that agree with each other, and cells that are what is seen of them.
//
//   ℓ = ½Σ (y_c/s)² + ½Σ ((y_k − seen_k)/σ)²
//
// s is what the walker's own place is worth, so that what is wrong counts by how much it could matter from here: γ^d
// falls with the distance to the goal, and a cell that is farther from the goal than the walker by some steps counts
// little. If the walker learns that its way leads nowhere its place is worth nothing, but not its aim: then s is what
// the best of such places would be worth, one move from where there is hope still, and until a solve has found it the
// last s, which falls by γ a step.
#pragma once

#include <algorithm>

#include "elastane/core/objective/objective.h"
#include "lab/maze/map_latent.h"

namespace elastane::maze {

class MapObjective final : public Objective {
 public:
  void begin() { scale_ = 0; }
  void look(const MapLatent& map, const Sight& sight) {
    const double here = map.value(sight.position);
    const double hoped = map.new_hope() > 0 ? map.new_hope() : scale_ * map.discount(0);
    scale_ = std::max(here > 0 ? here : hoped, kLeast);
    view_ = sight.view;
  }

  double value(std::span<const double> y) const override {
    double residuals = 0, view = 0;
    for (std::size_t i = 0; i < y.size() - kViewCells; ++i) residuals += y[i] * y[i];
    for (std::size_t k = 0; k < kViewCells; ++k) view += view_weight(k) * error(k, y) * error(k, y);
    return 0.5 * (residuals * residual_weight() + view);
  }
  void gradient(std::span<const double> y, std::span<double> gradient) const override {
    weigh_residuals(y.data(), y.size(), gradient.data());
    for (std::size_t k = 0; k < kViewCells; ++k) {
      gradient[y.size() - kViewCells + k] = view_weight(k) * error(k, y);
    }
  }
  void gauss_newton(std::span<const double> y, ConstDoubleRows u, DoubleRows wu) const override {
    for (int r = 0; r < u.count; ++r) {
      weigh_residuals(u[r], y.size(), wu[r]);
      for (std::size_t k = 0; k < kViewCells; ++k) {
        const std::size_t i = y.size() - kViewCells + k;
        wu[r][i] = view_weight(k) * u[r][i];
      }
    }
  }
  bool diagonal(std::span<const double> y, std::span<double> w) const override {
    for (std::size_t i = 0; i < y.size() - kViewCells; ++i) w[i] = residual_weight();
    for (std::size_t k = 0; k < kViewCells; ++k) w[y.size() - kViewCells + k] = view_weight(k);
    return true;
  }

  double scale() const { return scale_; }

 private:
  static constexpr double kLeast = 1e-140;   // its square is a number still
  static constexpr double kViewNoise = 0.3;  // σ

  double residual_weight() const { return 1 / (scale_ * scale_); }
  double view_weight(std::size_t k) const { return view_[k] == Seen::hidden ? 0 : 1 / (kViewNoise * kViewNoise); }
  void weigh_residuals(const double* in, std::size_t size, double* out) const {
    const double weight = residual_weight();
    for (std::size_t i = 0; i < size - kViewCells; ++i) out[i] = weight * in[i];
  }
  double error(std::size_t k, std::span<const double> y) const {
    return y[y.size() - kViewCells + k] - (view_[k] == Seen::wall ? 1.0 : 0.0);
  }

  double scale_ = 0;
  View view_ = {};
};

}  // namespace elastane::maze
