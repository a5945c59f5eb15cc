// ℓ of a loop's torsions: its energy. The last evaluation is cached, so that value, gradient and curvature at one y cost
// one evaluation.
#pragma once

#include "elastane/core/objective/objective.h"
#include "lab/protein_loop/energy.h"

namespace elastane::protein_loop {

class LoopObjective final : public Objective {
 public:
  explicit LoopObjective(const Energy& energy) : energy_(&energy) {}

  const Energy& energy() const { return *energy_; }
  // another loop, or the same one after its surroundings changed
  void begin(const Energy& energy) {
    energy_ = &energy;
    has_value_ = false;
  }
  void emphasise(const Emphasis& emphasis) {
    has_value_ = has_value_ && emphasis == emphasis_;
    emphasis_ = emphasis;
  }

  // the loop at y
  const EnergyPoint& point_at(std::span<const double> y) const {
    evaluate_at(y);
    return point_;
  }
  const EnergyPoint& last() const { return point_; }

  double value(std::span<const double> y) const override {
    evaluate_at(y);
    return point_.terms.total();
  }
  void gradient(std::span<const double> y, std::span<double> gradient) const override;
  void gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const override;

 private:
  void evaluate_at(std::span<const double> y) const;

  const Energy* energy_;
  Emphasis emphasis_;

  //                   meaning                    written by
  mutable Torsions at_ = {};                                               // y of what is kept          evaluate_at
  mutable EnergyPoint point_;                                              // E there                    evaluate_at
  mutable bool has_value_ = false;                                         // is it?
  mutable bool has_curvature_ = false;                                     // and W?
  mutable std::array<double, kMaxTorsions* kMaxTorsions> curvature_ = {};  // W                    gauss_newton
};

}  // namespace elastane::protein_loop
