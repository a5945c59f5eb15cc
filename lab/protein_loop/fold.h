// A protein that is being repaired: where its residues are, and the torsions that they are built with.
//
// The two agree but at a broken joint: there the next residue is not where torsions would put it. A window is built
// from the residue before it, so that a joint that is broken inside it shows as a gap at its end; and once a window is
// committed, that is where the chain is broken.
#pragma once

#include <vector>

#include "lab/protein_loop/energy.h"

namespace elastane::protein_loop {

class Fold {
 public:
  explicit Fold(Protein protein);  // with the torsions that it has

  const Protein& protein() const { return protein_; }
  int size() const { return protein_.size(); }
  double phi(int i) const { return phi_[static_cast<std::size_t>(i)]; }
  double psi(int i) const { return psi_[static_cast<std::size_t>(i)]; }

  // from ψ of the residue before the window to φ of the one after
  Torsions torsions(const Window& window) const;
  void commit(const Energy& energy, const Torsions& torsions, const protein_chain::Conformation& conformation);

  // Å between residue i + 1 and where torsions put it: root mean square over N, CA, C
  double gap(int i) const;

 private:
  Protein protein_;
  std::vector<double> phi_, psi_;
};

// what is wrong with a whole protein, judged alike for everybody
struct FoldVerdict {
  EnergyTerms terms;
  double widest_gap = 0;  // Å
  int clashes = 0, disallowed = 0;

  // measured against a native, where that has faults of its own
  bool is_repaired(int native_clashes = 0, int native_disallowed = 0) const {
    return widest_gap <= 0.05 && clashes <= native_clashes && disallowed <= native_disallowed;
  }
};
FoldVerdict judge(const Fold& fold, const EnergyOptions& options = {});
// a stretch of it: its residues' torsions, its joints, and every pair that has an atom in it or next to it
FoldVerdict judge(const Fold& fold, const Window& stretch, const EnergyOptions& options = {});

}  // namespace elastane::protein_loop
