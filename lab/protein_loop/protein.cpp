#include "lab/protein_loop/protein.h"

#include <cmath>

namespace elastane::protein_loop {

Vec3 ProteinResidue::atom(AtomKind kind) const {
  switch (kind) {
    case AtomKind::n: return at.n;
    case AtomKind::ca: return at.ca;
    case AtomKind::cb: return has_cb() ? protein_chain::beta_of(at) : at.ca;
    case AtomKind::c: return at.c;
    case AtomKind::o: break;
  }
  return o;
}

double Protein::phi(int i) const {
  const protein_chain::Residue& r = residue(i).at;
  return protein_chain::torsion(residue(i - 1).at.c, r.n, r.ca, r.c);
}

double Protein::psi(int i) const {
  const protein_chain::Residue& r = residue(i).at;
  return protein_chain::torsion(r.n, r.ca, r.c, residue(i + 1).at.n);
}

protein_chain::Class Protein::class_of(int i) const {
  return protein_chain::class_of(residue(i).letter, i + 1 < size() ? residue(i + 1).letter : ' ');
}

bool is_bonded(const Protein& protein, int i) {
  return i >= 0 && i + 1 < protein.size() &&
         length(protein.residue(i + 1).at.n - protein.residue(i).at.c) <= kLongestJoint;
}

Status validate_joints(const Protein& protein, int first, int last) {
  for (int i = first; i < last; ++i) {
    if (is_bonded(protein, i)) continue;
    const ProteinResidue &before = protein.residue(i), &after = protein.residue(i + 1);
    return Error{"[structure] residues " + before.name + " and " + after.name +
                 ": expected them bonded, found C and N " +
                 std::to_string(length(after.at.n - before.at.c)).substr(0, 4) +
                 " Å apart; the chain is broken there, or residues are missing"};
  }
  return {};
}

Status validate(const Window& window, const Protein& protein) {
  if (window.residues < 3 || window.residues > kMaxWindow) {
    return Error{"[protein_loop] loop: expected 3 to " + std::to_string(kMaxWindow) + " residues, found " +
                 std::to_string(window.residues)};
  }
  const auto named = [&](int i) {
    return i >= 0 && i < protein.size() ? "residue " + protein.residue(i).name
                                        : "residue number " + std::to_string(i + 1);
  };
  if (window.first < 1 || window.last() + 1 >= protein.size()) {
    return Error{"[protein_loop] loop: expected a residue that stays in place on either side, found a loop from " +
                 named(window.first) + " to " + named(window.last()) + " in a chain of " +
                 std::to_string(protein.size()) + "; choose one that is not at the chain's end"};
  }
  for (const SkippedResidue& gone : protein.skipped) {
    if (gone.before >= window.first && gone.before <= window.last() + 1) return Error{gone.error};
  }
  return validate_joints(protein, window.first - 1, window.last() + 1);
}

}  // namespace elastane::protein_loop
