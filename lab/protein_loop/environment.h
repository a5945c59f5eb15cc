// The environment: a protein under repair, as positions of its residues and the torsions they are built with.
//
// The two agree except at a broken joint, where the next residue is not where torsions would place it. A window is built
// from the residue before it, so a break inside a window shows as a gap at its end; once the window is committed, the
// chain is broken there.
#pragma once

#include <vector>

#include "lab/protein_loop/energy.h"

namespace elastane::protein_loop {

class Environment {
 public:
  explicit Environment(Protein protein);  // with the torsions of its coordinates

  const Protein& protein() const { return protein_; }
  int size() const { return protein_.size(); }
  double phi(int i) const { return phi_[static_cast<std::size_t>(i)]; }
  double psi(int i) const { return psi_[static_cast<std::size_t>(i)]; }

  // from ψ of the residue before the window to φ of the one after it
  Torsions torsions(const Window& window) const;
  void commit(const Energy& energy, const Torsions& torsions, const protein_chain::Conformation& conformation);

  // Å between residue i + 1 and where torsions place it: root mean square over N, CA, C
  double gap(int i) const;

 private:
  Protein protein_;
  std::vector<double> phi_, psi_;
};

// what is wrong with a protein; the same measure for all agents
struct Assessment {
  EnergyTerms terms;
  double widest_gap = 0;  // Å
  int clashes = 0, disallowed = 0;

  // relative to the native, which may have faults of its own
  bool is_repaired(int native_clashes = 0, int native_disallowed = 0) const {
    return widest_gap <= 0.05 && clashes <= native_clashes && disallowed <= native_disallowed;
  }
};
Assessment assess(const Environment& environment, const EnergyOptions& options = {});
// of a stretch: the torsions of its residues, its joints, and every pair with an atom in it or next to it
Assessment assess(const Environment& environment, const Window& stretch, const EnergyOptions& options = {});

}  // namespace elastane::protein_loop
