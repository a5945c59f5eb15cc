// The energy of a loop: half the squares of residuals, apart from two shallow wells, so that Gauss–Newton applies.
//
//   closure        w·(r − r*)           N, CA and C of the residue after the loop: as the chain builds them, and where
//                                       they are
//   wall           k·(1 − r²/σ²)        for each pair of atoms nearer than σ, in the loop and against the rest
//   bond           −ε·u²(3 − 2u)        N and O of different residues, falling from a reach to σ: a hydrogen bond
//   contact        −ε·u²(3 − 2u)        CB and CB, the same with a longer reach: a contact
//   ramachandran   t·h(E − E₀)          for each residue whose torsions move, those on either side of the loop included
//
// Pairs fewer than five bonds apart are left to the geometry and the Ramachandran term; wells need residues three apart.
// Torsions are those of protein_chain/chain.h, from ψ of the residue before the loop to φ of the one after it.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "elastane/core/base/view.h"
#include "lab/protein_chain/ramachandran.h"
#include "lab/protein_loop/atom_grid.h"
#include "lab/protein_loop/energy_terms.h"

namespace elastane::protein_loop {

using protein_chain::kMaxAtoms, protein_chain::kMaxResidues, protein_chain::kMaxTorsions;
using Torsions = std::array<double, kMaxTorsions>;  // radians; 0 beyond the loop's own

// The atoms that a loop may touch. Contacts reach further than other pairs and exist between CB and CB only, so they have
// a separate grid.
struct Surroundings {
  AtomGrid near, contacts;

  Surroundings(const Protein& protein, const EnergyOptions& options);
  void rebuild(const Protein& protein) {
    near.rebuild(protein);
    contacts.rebuild(protein);
  }
};

// factors of the weights, for a start that may pass through walls
struct Emphasis {
  double closure = 1, wall = 1;
  bool operator==(const Emphasis&) const = default;
};

// E at a point, and what its derivatives are computed from
struct EnergyPoint {
  // a residual of a pair; its derivative by a torsion in [first, last) is push·∂end/∂θ
  struct Wall {
    int first, last;
    Vec3 end, push;
  };
  static constexpr int kMaxWalls = 1024;  // further ones have a force but no curvature

  protein_chain::Conformation conformation;
  EnergyTerms terms;
  std::array<Vec3, kMaxAtoms> force;  // ∂E/∂r, without the Ramachandran term
  std::array<Wall, kMaxWalls> walls;
  int walls_count = 0;
  std::array<Vec3, 3> gap;                                // at N, CA, C after the loop, Å
  double closure_weight = 0;                              // w
  std::array<double, kMaxResidues> push, by_phi, by_psi;  // the Ramachandran residual and its derivatives
  std::int64_t pairs = 0;                                 // examined

  double gap_length() const;  // root mean square over the three atoms, Å
};

class Energy {
 public:
  // The surroundings are the protein's; atoms of the window in them are ignored. They must outlive this.
  Energy(const Protein& protein, const Surroundings& surroundings, const Window& window,
         const EnergyOptions& options = {});

  const protein_chain::Chain& chain() const { return chain_; }
  const Window& window() const { return window_; }
  const EnergyOptions& options() const { return options_; }
  int torsions() const { return chain_.torsions(); }

  double evaluate(std::span<const double> torsions, const Emphasis& emphasis, EnergyPoint& point) const;
  // ∇E, one value per torsion
  void gradient(const EnergyPoint& point, std::span<double> gradient) const;
  // the Gauss–Newton matrix, RᵀR
  void curvature(const EnergyPoint& point, DoubleRows w) const;

  // between the residue after the loop as the chain builds it and where it is: root mean square over N, CA, C, Å
  double gap_at(const protein_chain::Conformation& conformation) const;
  // of the residue after the loop, where it is
  protein_chain::Frame frame_after() const {
    return protein_chain::Start::at({target_[0], target_[1], target_[2]}).frame;
  }
  // pairs of atoms nearer than the extreme limits
  int clashes(const protein_chain::Conformation& conformation) const;
  // residues of the loop outside of the allowed regions
  int disallowed(std::span<const double> torsions) const;

  // counted multiply-adds
  std::int64_t evaluation_macs(const EnergyPoint& point) const;
  std::int64_t curvature_macs(const EnergyPoint& point) const;

 private:
  int residue_of(int atom) const { return window_.first - 1 + chain_.atom(atom).residue; }  // in the protein
  // does this atom of the protein stay in place?
  bool stays(const AtomGrid::Item& item) const {
    return !window_.has(item.residue) && !(item.residue == window_.first - 1 && item.kind == AtomKind::o);
  }
  template <class Visit>
  std::int64_t visit_pairs(const protein_chain::Conformation& at, Visit visit) const;
  template <class Visit>
  std::int64_t visit_inner_pairs(int a, const protein_chain::Conformation& at, Visit visit) const;
  template <class Visit>
  std::int64_t visit_outer_pairs(int a, const protein_chain::Conformation& at, Visit visit) const;
  void add_pairs(const Emphasis& emphasis, EnergyPoint& point) const;
  std::array<int, 3> closing_atoms() const;  // N, CA, C of the residue after the loop
  void add_closure(const Emphasis& emphasis, EnergyPoint& point) const;
  void add_ramachandran(std::span<const double> torsions, EnergyPoint& point) const;
  // φ and ψ of a residue of the chain; at its ends one of them is fixed
  protein_chain::Angle phi(int residue, const protein_chain::Conformation& at) const;
  protein_chain::Angle psi(int residue, const protein_chain::Conformation& at) const;

  const Surroundings* surroundings_;
  Window window_;
  EnergyOptions options_;
  protein_chain::Chain chain_;
  int first_atom_, end_atom_;            // those that move and count
  std::array<int, kMaxAtoms> partners_;  // the first atom that each is compared with; all later ones are as well
  PairLaws laws_;
  std::array<std::array<double, kMaxAtoms>, 5> reach2_;  // by the kind of one atom, and the other
  std::array<Vec3, 3> target_;                           // N, CA, C of the residue after the loop
  protein_chain::Angle phi_before_, psi_after_;          // fixed
  bool has_before_, has_after_;                          // do these exist?
  std::array<protein_chain::Class, kMaxResidues> classes_;
};

}  // namespace elastane::protein_loop
