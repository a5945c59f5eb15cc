// What a map should be like: values that agree with each other, and cells that are what is seen of them.
//
//   ℓ = ½Σ (y_c/s)² + ½Σ ((y_k − seen_k)/σ)²
//
// s is what the walker's own place is worth, so that what is wrong counts by how much it could matter from here: γ^d
// falls with the distance to the goal, and a cell that is farther from the goal than the walker by some steps counts
// little. If the walker learns that its way leads nowhere its place is worth nothing, but not its aim: s falls by at
// most γ a step.
#pragma once

#include <algorithm>

#include "elastane/core/objective/objective.h"
#include "elastane/worlds/maze/map_latent.h"

namespace elastane::maze {

class MapObjective final : public Objective {
 public:
  void begin() { scale_ = 0; }
  void look(const MapLatent& map, const Sight& sight) {
    scale_ = std::max({map.value(sight.position), scale_ * map.discount(0), kLeast});
    view_ = sight.view;
  }

  double value(std::span<const double> y) const override {
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += weight(i, y.size()) * error(i, y) * error(i, y);
    return 0.5 * sum;
  }
  void gradient(std::span<const double> y, std::span<double> gradient) const override {
    for (std::size_t i = 0; i < y.size(); ++i) gradient[i] = weight(i, y.size()) * error(i, y);
  }
  void gauss_newton(std::span<const double> y, ConstColumns u, Columns wu) const override {
    for (int r = 0; r < u.count; ++r) {
      for (std::size_t i = 0; i < y.size(); ++i) wu[r][i] = weight(i, y.size()) * u[r][i];
    }
  }
  bool diagonal(std::span<const double> y, std::span<double> w) const override {
    for (std::size_t i = 0; i < y.size(); ++i) w[i] = weight(i, y.size());
    return true;
  }

  double scale() const { return scale_; }

 private:
  static constexpr double kLeast = 1e-140;   // its square is a number still
  static constexpr double kViewNoise = 0.3;  // σ

  double weight(std::size_t i, std::size_t n) const {
    if (i < n - kViewCells) return 1 / (scale_ * scale_);
    return view_[i - (n - kViewCells)] == Seen::hidden ? 0 : 1 / (kViewNoise * kViewNoise);
  }
  double error(std::size_t i, std::span<const double> y) const {
    if (i < y.size() - kViewCells) return y[i];
    return y[i] - (view_[i - (y.size() - kViewCells)] == Seen::wall ? 1.0 : 0.0);
  }

  double scale_ = 0;
  View view_ = {};
};

}  // namespace elastane::maze
