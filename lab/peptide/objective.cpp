#include "lab/peptide/objective.h"

#include <algorithm>

namespace elastane::peptide {

MoveObjective::MoveObjective(const Energy& energy, const MoveOptions& options)
    : energy_(&energy), options_(options), torsions_(energy.chain().torsions()) {}

void MoveObjective::set_start(std::span<const double> torsions, const Contact& contact, const Turn& turn) {
  std::copy_n(torsions.begin(), torsions_, from_.begin());
  contact_ = contact;
  turn_ = turn;
  has_value_ = has_curvature_ = false;
}

void MoveObjective::evaluate_at(std::span<const double> y) const {
  if (has_value_ && std::equal(at_.begin(), at_.begin() + torsions_, y.begin())) return;
  std::copy_n(y.begin(), torsions_, at_.begin());
  Torsions there;
  for (std::size_t t = 0; t < static_cast<std::size_t>(torsions_); ++t) there[t] = from_[t] + options_.limit * y[t];
  value_ = energy_->evaluate(there, contact_, point_);
  energy_->gradient(point_, slope_);
  const double s2 = options_.smoothness * options_.smoothness, b2 = options_.bound * options_.bound;
  for (std::size_t t = 0; t < static_cast<std::size_t>(torsions_); ++t) {
    const double beyond = excess(y[t]);
    value_ += 0.5 * (s2 * y[t] * y[t] + b2 * beyond * beyond);
    slope_[t] = options_.limit * slope_[t] + s2 * y[t] + b2 * beyond;
  }
  if (turn_.residue >= 0) add_turn(y);
  has_value_ = true;
  has_curvature_ = false;
}

void MoveObjective::add_turn(std::span<const double> y) const {
  const double p2 = options_.persuasion * options_.persuasion;
  const auto phi = static_cast<std::size_t>(2 * turn_.residue - 1);
  const double off[] = {y[phi] - turn_.phi, y[phi + 1] - turn_.psi};
  value_ += 0.5 * p2 * (off[0] * off[0] + off[1] * off[1]);
  slope_[phi] += p2 * off[0];
  slope_[phi + 1] += p2 * off[1];
}

const EnergyPoint& MoveObjective::point_after(std::span<const double> y) const {
  evaluate_at(y);
  return point_;
}

double MoveObjective::value(std::span<const double> y) const {
  evaluate_at(y);
  return value_;
}

void MoveObjective::gradient(std::span<const double> y, std::span<double> gradient) const {
  evaluate_at(y);
  std::copy_n(slope_.begin(), torsions_, gradient.begin());
  std::fill(gradient.begin() + torsions_, gradient.end(), 0.0);
}

ConstDoubleRows MoveObjective::curvature(std::span<const double> y) const {
  evaluate_at(y);
  const DoubleRows w{curvature_.data(), torsions_, kMaxTorsions};
  if (has_curvature_) return w;
  energy_->curvature(point_, w);
  const double l2 = options_.limit * options_.limit;
  for (int t = 0; t < torsions_; ++t) {
    for (int s = 0; s < torsions_; ++s) w[t][s] *= l2;
    w[t][t] += options_.smoothness * options_.smoothness;
    if (excess(at_[static_cast<std::size_t>(t)]) != 0) w[t][t] += options_.bound * options_.bound;
  }
  if (turn_.residue >= 0) {
    const int phi = 2 * turn_.residue - 1;
    for (const int t : {phi, phi + 1}) w[t][t] += options_.persuasion * options_.persuasion;
  }
  has_curvature_ = true;
  return w;
}

void MoveObjective::gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const {
  const ConstDoubleRows w = curvature(y);
  Torsions product;
  for (int row = 0; row < directions.count; ++row) {
    const double* u = directions[row];
    std::fill_n(product.begin(), torsions_, 0.0);
    for (int s = 0; s < torsions_; ++s) {  // W is symmetric: its rows are its columns
      if (u[s] == 0) continue;             // often a unit vector
      for (int t = 0; t < torsions_; ++t) product[static_cast<std::size_t>(t)] += u[s] * w[s][t];
    }
    std::copy_n(product.begin(), torsions_, products[row]);
    std::fill(products[row] + torsions_, products[row] + y.size(), 0.0);
  }
}

}  // namespace elastane::peptide
