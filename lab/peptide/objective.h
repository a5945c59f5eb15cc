// ℓ of a move: the energy of the chain after it, plus a cost of moving and a higher cost of moving too far.
//
//   y_t                     the move of torsion t, in units of the largest move of a step
//   θ_t + L·y_t             where it leads                                             E of energy.h
//   s·y_t                   smoothness                                                 a residual
//   b·max(0, |y_t| − 1)     the environment shortens what is longer than L             a residual
//   p·(y_t − target)        of φ and ψ of a residue that should turn                   residuals
//
// Outputs after the torsions (the coarse distance map) do not count. The last evaluation is cached, so that value,
// gradient and curvature at one y cost one evaluation.
#pragma once

#include "elastane/core/objective/objective.h"
#include "lab/peptide/energy.h"

namespace elastane::peptide {

struct MoveOptions {
  double limit = 0.1745329252;  // L: 10° per step
  double smoothness = 0.3;      // s
  double bound = 3;             // b
  double persuasion = 3;        // p: enough to turn a residue over a ridge, too little to turn it into a wall
};

// how a residue should turn in this step: y of its φ and ψ
struct Turn {
  int residue = -1;
  double phi = 0, psi = 0;
};

class MoveObjective final : public Objective {
 public:
  explicit MoveObjective(const Energy& energy, const MoveOptions& options = {});

  // where the move starts, and the requested contact; a turn counts if it names a residue
  void set_start(std::span<const double> torsions, const Contact& contact, const Turn& turn = {});

  const Energy& energy() const { return *energy_; }
  const MoveOptions& options() const { return options_; }
  // the chain after the move
  const EnergyPoint& point_after(std::span<const double> y) const;

  double value(std::span<const double> y) const override;
  void gradient(std::span<const double> y, std::span<double> gradient) const override;
  void gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const override;

  // W itself, of the chain's torsions
  ConstDoubleRows curvature(std::span<const double> y) const;

 private:
  void evaluate_at(std::span<const double> y) const;
  void add_turn(std::span<const double> y) const;
  double excess(double y) const { return y > 1 ? y - 1 : y < -1 ? y + 1 : 0.0; }

  const Energy* energy_;
  MoveOptions options_;
  int torsions_;
  Torsions from_ = {};
  Contact contact_;
  Turn turn_;

  // the cache
  //                                     meaning                      written by
  mutable Torsions at_ = {};            // y of the last evaluation     evaluate_at
  mutable EnergyPoint point_;           // E there                      evaluate_at
  mutable double value_ = 0;            // ℓ there                      evaluate_at
  mutable Torsions slope_ = {};         // ∇ℓ there                     evaluate_at
  mutable bool has_value_ = false;      //                              evaluate_at
  mutable bool has_curvature_ = false;  //                            curvature
  mutable std::array<double, kMaxTorsions* kMaxTorsions> curvature_ = {};  // W there, written by curvature
};

}  // namespace elastane::peptide
