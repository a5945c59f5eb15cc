// The parts of the energy: weights, terms, and the law between two atoms.
#pragma once

#include <array>

#include "lab/protein_chain/chain.h"

namespace elastane::protein_loop {

struct EnergyOptions {
  double closure_weight = 14;                        // w, 1/Å
  double wall_weight = 14, wall_margin = 0.1;        // k; σ beyond the outer limit, Å
  double bond_depth = 0.3, bond_reach = 4.2;         // ε, Å
  double contact_depth = 0.05, contact_reach = 6.5;  // ε, Å
  double ramachandran_weight = 2, ramachandran_start = 0.6, ramachandran_turn = 1.0;  // t, E₀, c
};

struct EnergyTerms {
  double closure = 0, wall = 0, bond = 0, contact = 0, ramachandran = 0;
  double total() const { return closure + wall + bond + contact + ramachandran; }
};

// between atoms of two kinds: a wall below σ, and for some a well from a reach down to σ
struct PairLaw {
  double wall2, inverse2;  // σ², its inverse
  double reach2, depth;    // of the well; without a well, those of the wall
  double clash2;           // the square of what counts as a clash
  bool is_bond;

  // adds the pair to the terms; the well only if `well`
  struct Effect {
    double residual = 0, slope = 0;  // of the wall, and ∂residual/∂r²
    double by_r2 = 0;                // ∂E/∂r²
  };
  Effect add(double r2, double wall_weight, bool well, EnergyTerms& terms) const;
};

class PairLaws {
 public:
  explicit PairLaws(const EnergyOptions& options);

  const PairLaw& of(protein_chain::AtomKind a, protein_chain::AtomKind b) const {
    return laws_[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
  }

 private:
  std::array<std::array<PairLaw, 5>, 5> laws_;
};

// are these atoms at least five bonds apart? Nearer pairs are left to the geometry and the Ramachandran term
bool is_scored(protein_chain::AtomKind a, int residue_a, protein_chain::AtomKind b, int residue_b);
// are these residues far enough apart along the chain for a well?
inline bool may_attract(int separation) { return separation >= 3 || separation <= -3; }

}  // namespace elastane::protein_loop
