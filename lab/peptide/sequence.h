// The peptides of this world: eight to twelve residues.
#pragma once

#include <array>
#include <string_view>

#include "elastane/core/base/random.h"
#include "elastane/core/base/result.h"
#include "lab/protein_chain/chain.h"
#include "lab/protein_chain/ramachandran.h"
#include "lab/protein_chain/sequence.h"

namespace elastane::peptide {

using protein_chain::Angle, protein_chain::Likelihood, protein_chain::Pair, protein_chain::kAllowed,
    protein_chain::ramachandran, protein_chain::basins, protein_chain::is_allowed, protein_chain::draw;
using protein_chain::Atom, protein_chain::AtomKind, protein_chain::Chain, protein_chain::Conformation,
    protein_chain::Geometry, protein_chain::wrapped;
using protein_chain::Class, protein_chain::Sequence, protein_chain::kClasses, protein_chain::kLetters,
    protein_chain::three_letters;
using protein_chain::Vec3, protein_chain::cross, protein_chain::dot, protein_chain::length, protein_chain::unit;

inline constexpr int kMinResidues = 8, kMaxResidues = 12;
inline constexpr int kMaxAtoms = 5 * kMaxResidues, kMaxTorsions = 2 * kMaxResidues - 2;
using Torsions = std::array<double, kMaxTorsions>;  // radians; 0 beyond the chain's own

// one letter per residue; an error names an unknown letter or a length out of range
Result<Sequence> parse_sequence(std::string_view letters);
// length and letters are uniform
Sequence random_sequence(Random& random);

}  // namespace elastane::peptide
