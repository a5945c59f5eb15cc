#include "lab/protein_loop/objective.h"

#include <algorithm>

namespace elastane::protein_loop {

void LoopObjective::evaluate_at(std::span<const double> y) const {
  const auto n = static_cast<std::size_t>(energy_->torsions());
  if (has_value_ && std::equal(at_.begin(), at_.begin() + static_cast<std::ptrdiff_t>(n), y.begin())) return;
  std::copy_n(y.begin(), n, at_.begin());
  energy_->evaluate(y.first(n), emphasis_, point_);
  has_value_ = true;
  has_curvature_ = false;
}

void LoopObjective::gradient(std::span<const double> y, std::span<double> gradient) const {
  evaluate_at(y);
  energy_->gradient(point_, gradient);
}

void LoopObjective::gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const {
  evaluate_at(y);
  const int n = energy_->torsions();
  const DoubleRows w{curvature_.data(), n, kMaxTorsions};
  if (!has_curvature_) energy_->curvature(point_, w);
  has_curvature_ = true;
  Torsions product;
  for (int row = 0; row < directions.count; ++row) {
    const double* u = directions[row];
    std::fill_n(product.begin(), n, 0.0);
    for (int s = 0; s < n; ++s) {  // W is symmetric: its rows are its columns
      if (u[s] == 0) continue;     // often a unit vector
      for (int t = 0; t < n; ++t) product[static_cast<std::size_t>(t)] += u[s] * w[s][t];
    }
    std::copy_n(product.begin(), n, products[row]);
  }
}

}  // namespace elastane::protein_loop
