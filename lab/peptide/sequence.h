// Which peptides this world knows: eight to twelve residues.
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

inline constexpr int kLeastResidues = 8, kMostResidues = 12;
inline constexpr int kMostAtoms = 5 * kMostResidues, kMostTorsions = 2 * kMostResidues - 2;
using Torsions = std::array<double, kMostTorsions>;  // radians; those beyond the chain's own are 0

// one letter a residue; a letter that is none of the twenty, or a length that is out of range, is named
Result<Sequence> parse_sequence(std::string_view letters);
// a length and letters, all alike likely
Sequence random_sequence(Random& random);

}  // namespace elastane::peptide
