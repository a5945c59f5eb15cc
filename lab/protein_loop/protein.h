// A folded protein as this world sees it: main-chain atoms and CB, one chain.
//
// Side chains and the bond geometry of a loop that is to be found are left out on purpose: both remember where the loop
// was.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "elastane/core/base/random.h"
#include "elastane/core/base/result.h"
#include "lab/protein_chain/chain.h"

namespace elastane::protein_loop {

using protein_chain::AtomKind, protein_chain::Vec3, protein_chain::cross, protein_chain::dot, protein_chain::length,
    protein_chain::unit;

struct ProteinResidue {
  protein_chain::Residue at;  // N, CA, C
  Vec3 o;
  char letter = 'A';
  std::string name;  // as its file names it, "A 155 LEU"

  bool has_cb() const { return letter != 'G'; }
  Vec3 atom(AtomKind kind) const;  // that of CB in glycine is that of CA
};

// a residue of the file that could not be taken
struct LeftOut {
  int before;         // the residue of the protein that follows it
  std::string name;   // as its file names it
  std::string error;  // why
};

struct Protein {
  std::string name;
  std::vector<ProteinResidue> residues;
  std::vector<LeftOut> left_out = {};

  int size() const { return static_cast<int>(residues.size()); }
  const ProteinResidue& residue(int i) const { return residues[static_cast<std::size_t>(i)]; }
  ProteinResidue& residue(int i) { return residues[static_cast<std::size_t>(i)]; }
  double phi(int i) const;  // of a residue that has one before it
  double psi(int i) const;  // of a residue that has one after it
  // the residue's, as the Ramachandran plot has it
  protein_chain::Class class_of(int i) const;
};

// residues that are bent, first to last, both of them inside
struct Window {
  int first = 0, residues = 12;

  int last() const { return first + residues - 1; }
  bool has(int residue) const { return residue >= first && residue <= last(); }
};
// all residues that have one on either side
inline Window inner(const Protein& protein) { return {.first = 1, .residues = protein.size() - 2}; }
inline constexpr int kMostWindow = protein_chain::kMostResidues - 2;

inline constexpr double kLongestJoint = 2.0;  // Å between C and the next N; a peptide bond has 1.33
// is every residue of first … last bonded to the next? The first that is not is named
Status validate_joints(const Protein& protein, int first, int last);
bool is_bonded(const Protein& protein, int i);  // to residue i + 1

// a window needs a residue on either side that stays where it is, and a chain that is whole where it is
Status validate(const Window& window, const Protein& protein);

// A protein in ideal geometry for where there is no file: helices with loops between them, without clashes; the same
// for equal seeds.
struct BuiltOptions {
  int residues = 80;
  int helix = 11, loop = 9;  // of each, on average
};
Protein build_protein(std::uint64_t seed, const BuiltOptions& options = {});

}  // namespace elastane::protein_loop
