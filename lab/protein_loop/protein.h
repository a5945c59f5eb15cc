// A folded protein in this world: main-chain atoms and CB of one chain.
//
// Side chains and the native bond geometry of a loop are left out on purpose: both reveal where the loop was.
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
  std::string name;  // as in its file, "A 155 LEU"

  bool has_cb() const { return letter != 'G'; }
  Vec3 atom(AtomKind kind) const;  // for CB of glycine, CA
};

// a residue of the file that could not be used
struct SkippedResidue {
  int before;         // the residue of the protein that follows it
  std::string name;   // as in its file
  std::string error;  // why
};

struct Protein {
  std::string name;
  std::vector<ProteinResidue> residues;
  std::vector<SkippedResidue> skipped = {};

  int size() const { return static_cast<int>(residues.size()); }
  const ProteinResidue& residue(int i) const { return residues[static_cast<std::size_t>(i)]; }
  ProteinResidue& residue(int i) { return residues[static_cast<std::size_t>(i)]; }
  double phi(int i) const;  // of a residue that has one before it
  double psi(int i) const;  // of a residue that has one after it
  // of its Ramachandran plot
  protein_chain::Class class_of(int i) const;
};

// consecutive residues; last() is the last of them
struct Window {
  int first = 0, residues = 12;

  int last() const { return first + residues - 1; }
  bool has(int residue) const { return residue >= first && residue <= last(); }
};
// all residues with a neighbour on either side
inline Window inner(const Protein& protein) { return {.first = 1, .residues = protein.size() - 2}; }
inline constexpr int kMaxWindow = protein_chain::kMaxResidues - 2;

inline constexpr double kLongestJoint = 2.0;  // Å between C and the next N; a peptide bond has 1.33
// is every residue of first … last bonded to the next? The error names the first that is not
Status validate_joints(const Protein& protein, int first, int last);
bool is_bonded(const Protein& protein, int i);  // to residue i + 1

// a window needs a fixed residue on either side and an unbroken chain in between
Status validate(const Window& window, const Protein& protein);

// A protein in ideal geometry where there is no file: helices with loops between them, without clashes; the same for equal
// seeds.
struct BuiltOptions {
  int residues = 80;
  int helix = 11, loop = 9;  // of each, on average
};
Protein build_protein(std::uint64_t seed, const BuiltOptions& options = {});

}  // namespace elastane::protein_loop
