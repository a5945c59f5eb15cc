// ℓ of a loop's torsions: its energy. What was asked about y is kept, so that value, gradient and curvature at one y
// cost one evaluation.
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
    known_ = false;
  }
  void emphasise(const Emphasis& emphasis) {
    known_ = known_ && emphasis == emphasis_;
    emphasis_ = emphasis;
  }

  // the loop at y
  const EnergyPoint& seen_at(std::span<const double> y) const {
    look_at(y);
    return point_;
  }
  const EnergyPoint& last() const { return point_; }

  double value(std::span<const double> y) const override {
    look_at(y);
    return point_.terms.total();
  }
  void gradient(std::span<const double> y, std::span<double> gradient) const override;
  void gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const override;

 private:
  void look_at(std::span<const double> y) const;

  const Energy* energy_;
  Emphasis emphasis_;

  //                   meaning                    written by
  mutable Torsions at_ = {};                                                 // y of what is kept          look_at
  mutable EnergyPoint point_;                                                // E there                    look_at
  mutable bool known_ = false;                                               // is it?
  mutable bool curved_ = false;                                              // and W?
  mutable std::array<double, kMostTorsions* kMostTorsions> curvature_ = {};  // W                    gauss_newton
};

}  // namespace elastane::protein_loop
