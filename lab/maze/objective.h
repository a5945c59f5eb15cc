// The objective of a map: values that agree with each other, and cells in view as observed.
//
//   ℓ = ½Σ (y_c/s)² + ½Σ ((y_k − seen_k)/σ)²
//
// s is the value of the agent's own cell, so that residuals are weighted by how much they matter from there: γ^d falls
// with the distance to the goal, and a cell that is some steps farther from the goal than the agent counts little. When
// the agent finds out that its path leads nowhere, its cell has value 0. Then s is the best value that such a cell could
// reach by one move (MapLatent::frontier_value), and until a solve has found it the last s, which falls by γ per step.
#pragma once

#include <algorithm>

#include "elastane/core/objective/objective.h"
#include "lab/maze/map_latent.h"

namespace elastane::maze {

class MapObjective final : public Objective {
 public:
  void begin() { scale_ = 0; }
  void observe(const MapLatent& map, const Observation& observation) {
    const double here = map.value(observation.position);
    const double fallback = map.frontier_value() > 0 ? map.frontier_value() : scale_ * map.discount(0);
    scale_ = std::max(here > 0 ? here : fallback, kSmallestScale);
    view_ = observation.view;
  }

  double value(std::span<const double> y) const override {
    double residuals = 0, view = 0;
    for (std::size_t i = 0; i < y.size() - kViewCells; ++i) residuals += y[i] * y[i];
    for (std::size_t k = 0; k < kViewCells; ++k) view += view_weight(k) * error(k, y) * error(k, y);
    return 0.5 * (residuals * residual_weight() + view);
  }
  // the same from Σy_c² and the occupancy in view
  double value(double residual_squares, std::span<const double> occupancy) const {
    double view = 0;
    for (std::size_t k = 0; k < kViewCells; ++k) view += view_weight(k) * error(k, occupancy) * error(k, occupancy);
    return 0.5 * (residual_squares * residual_weight() + view);
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
  static constexpr double kSmallestScale = 1e-140;  // its square does not underflow
  static constexpr double kViewNoise = 0.3;         // σ

  double residual_weight() const { return 1 / (scale_ * scale_); }
  double view_weight(std::size_t k) const { return view_[k] == CellState::hidden ? 0 : 1 / (kViewNoise * kViewNoise); }
  void weigh_residuals(const double* in, std::size_t size, double* out) const {
    const double weight = residual_weight();
    for (std::size_t i = 0; i < size - kViewCells; ++i) out[i] = weight * in[i];
  }
  double error(std::size_t k, std::span<const double> y) const {
    return y[y.size() - kViewCells + k] - (view_[k] == CellState::wall ? 1.0 : 0.0);
  }

  double scale_ = 0;
  View view_ = {};
};

}  // namespace elastane::maze
