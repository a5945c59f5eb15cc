// The energy of a conformation: half the squares of residuals, apart from one shallow well, so that Gauss–Newton applies.
//
//   contact        w·h(d_ij − goal)         h(x) = x/(1 + x²/c²)^¼ for x > 0, else 0: a square near, a line far away
//   wall           k·(1 − r²/σ²)            for each pair of atoms nearer than σ
//                  + f·(1 − r²/τ²)          the same, stiffer, for pairs nearer than τ, just outside a clash
//   well           −ε·u²(3 − 2u)            u = (R² − r²)/(R² − σ²) between σ and R: the attractive half of a soft
//                                           Lennard-Jones potential, lowest at σ; not a residual
//   ramachandran   t·h(E − E₀)              for each residue that has both torsions, with its own c: a barrier
//                                           that a contact can pull a residue over
//
// Pairs whose distance depends on the torsions of one residue alone are left to the Ramachandran term. So is the pair C
// of one residue and C of the next, 3 Å apart in a left-handed helix: only φ changes it.
// Contact distances of atoms, outer limits for σ and extreme ones for a clash: Ramachandran and Sasisekharan 1968, Adv.
// Protein Chem. 23, 283.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "elastane/core/base/view.h"
#include "lab/peptide/sequence.h"
#include "lab/protein_chain/contact_limits.h"

namespace elastane::peptide {

inline constexpr double kContact = 6.0;  // Å between CA atoms
inline constexpr int kMinSeparation = 3;

// residues i < j that should be near each other; negative while no contact is requested
struct Contact {
  int i = -1, j = -1;
  bool is_requested() const { return i >= 0; }
  bool operator==(const Contact&) const = default;
};
// both residues exist, and are far enough apart along the chain to be brought together
Status validate(const Contact& contact, const Chain& chain);

struct EnergyOptions {
  double contact_weight = 5, contact_goal = 5.5, contact_turn = 1.5;  // w in 1/Å, Å, c in Å
  double wall_weight = 14, wall_margin = 0.2;                         // k; σ beyond the outer limit, Å
  double firm_weight = 30, firm_margin = 0.05;                        // f; τ beyond the extreme limit, Å
  double well_depth = 0.02, well_reach = 1.8;                         // ε; R/σ
  double ramachandran_weight = 2, ramachandran_start = 0.6, ramachandran_turn = 1.0;  // t, E₀, c
};

struct EnergyTerms {
  double contact = 0, wall = 0, well = 0, ramachandran = 0;
  double total() const { return contact + wall + well + ramachandran; }
};

// E at a point, and what its derivatives are computed from
struct EnergyPoint {
  struct Wall {
    std::int16_t a, b;
    double slope;  // ∂residual/∂r²
  };
  Conformation conformation;
  EnergyTerms terms;
  std::array<Vec3, kMaxAtoms> force;  // ∂E/∂r, without the Ramachandran term
  std::array<Wall, kMaxAtoms*(kMaxAtoms - 1) / 2> walls;
  int walls_count = 0;
  Contact contact;
  double contact_slope = 0;                               // ∂residual/∂d²
  std::array<double, kMaxResidues> push, by_phi, by_psi;  // the Ramachandran residual and its derivatives
};

class Energy {
 public:
  explicit Energy(const Chain& chain, const EnergyOptions& options = {});

  const Chain& chain() const { return chain_; }
  const EnergyOptions& options() const { return options_; }

  double evaluate(std::span<const double> torsions, const Contact& contact, EnergyPoint& point) const;
  // ∇E, one value per torsion
  void gradient(const EnergyPoint& point, std::span<double> gradient) const;
  // the Gauss–Newton matrix, RᵀR
  void curvature(const EnergyPoint& point, DoubleRows w) const;

  // pairs of atoms nearer than the extreme limits: how many, and which
  int clashes(const Conformation& conformation) const;
  std::vector<std::array<int, 2>> clashing(const Conformation& conformation) const;
  // residues that have both torsions, outside of the allowed regions
  int disallowed(const Conformation& conformation) const;
  double contact_distance(const Conformation& conformation, const Contact& contact) const {
    return chain_.distance(conformation, chain_.ca(contact.i), chain_.ca(contact.j));
  }

 private:
  // visit(a, b, do they clash?) for every pair that counts
  template <class Visit>
  void compare_pairs(const Conformation& conformation, Visit visit) const;
  double add_wall(std::size_t a, std::size_t b, double r2, EnergyPoint& point) const;
  void add_pairs(EnergyPoint& point) const;
  void add_contact(EnergyPoint& point) const;
  void add_ramachandran(EnergyPoint& point) const;
  void add_row(const EnergyPoint& point, int a, int b, double slope, DoubleRows w) const;

  static constexpr int kElements = protein_chain::kElements;

  Chain chain_;
  EnergyOptions options_;
  std::array<int, kMaxAtoms> partners_ = {};  // the first atom that each is compared with; all later ones are as well
  std::array<int, kMaxAtoms> element_ = {};
  // by the element of one atom and the index of the other: σ², its inverse, τ², and the square of a clash
  std::array<std::array<double, kMaxAtoms>, kElements> wall2_ = {}, inverse2_ = {}, firm2_ = {}, clash2_ = {};
};

}  // namespace elastane::peptide
