// ℓ of a move: what the chain costs after it, with a price for moving at all and a higher one for moving too far.
//
//   y_t            the move of torsion t, in units of the largest one a step may make
//   θ_t + L·y_t    where it leads                                                        E of energy.h
//   s·y_t          smoothness                                                            a residual
//   b·max(0, |y_t| − 1)   the world shortens what is longer than L   a residual
//   p·(y_t − wished)      of two torsions, where somebody wants a residue turned         residuals
//
// Outputs after the torsions (the coarse distance map) are not judged. What was asked about y is kept, so that value,
// gradient and curvature at one y cost one evaluation.
#pragma once

#include "elastane/core/objective/objective.h"
#include "lab/peptide/energy.h"

namespace elastane::peptide {

struct MoveOptions {
  double limit = 0.1745329252;  // L: 10° a step
  double smoothness = 0.3;      // s
  double bound = 3;             // b
  double persuasion = 3;        // p: enough to turn a residue over a ridge, too little to turn it into a wall
};

// how a residue should turn in this step: y of its φ and ψ
struct Turn {
  int residue = -1;
  double phi = 0, psi = 0;
};

class NextMove final : public Objective {
 public:
  explicit NextMove(const Energy& energy, const MoveOptions& options = {});

  // from these torsions, under this contact; and with a turn, if there is a residue for it
  void begin_at(std::span<const double> torsions, const Contact& contact, const Turn& turn = {});

  const Energy& energy() const { return *energy_; }
  const MoveOptions& options() const { return options_; }
  // the chain after the move
  const EnergyPoint& after(std::span<const double> y) const;

  double value(std::span<const double> y) const override;
  void gradient(std::span<const double> y, std::span<double> gradient) const override;
  void gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const override;

  // W itself, of the chain's torsions
  ConstDoubleRows curvature(std::span<const double> y) const;

 private:
  const Energy* energy_;
  MoveOptions options_;
  int torsions_;
  Torsions from_ = {};
  Contact contact_;
  Turn turn_;

  //                   meaning                    written by
  mutable Torsions at_ = {};                                                 // y of what is kept          look_at
  mutable EnergyPoint point_;                                                // E there                    look_at
  mutable double value_ = 0;                                                 // ℓ there                    look_at
  mutable bool known_ = false;                                               // is it?
  mutable bool curved_ = false;                                              // and W?
  mutable Torsions slope_ = {};                                              // ∇ℓ there                   look_at
  mutable std::array<double, kMostTorsions* kMostTorsions> curvature_ = {};  // curvature

  void look_at(std::span<const double> y) const;
  double excess(double y) const { return y > 1 ? y - 1 : y < -1 ? y + 1 : 0.0; }
};

}  // namespace elastane::peptide
