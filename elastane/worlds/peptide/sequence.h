// Which peptides this world knows: eight to twelve residues.
#pragma once

#include <array>
#include <string_view>

#include "elastane/core/base/random.h"
#include "elastane/core/base/result.h"
#include "elastane/worlds/backbone/chain.h"
#include "elastane/worlds/backbone/ramachandran.h"
#include "elastane/worlds/backbone/sequence.h"

namespace elastane::peptide {

using backbone::Angle, backbone::Likelihood, backbone::Pair, backbone::kAllowed, backbone::ramachandran,
    backbone::is_allowed, backbone::draw;
using backbone::Atom, backbone::AtomKind, backbone::Chain, backbone::Conformation, backbone::Geometry,
    backbone::wrapped;
using backbone::Class, backbone::Sequence, backbone::kClasses, backbone::kLetters, backbone::three_letters;
using backbone::Vec3, backbone::cross, backbone::dot, backbone::length, backbone::unit;

inline constexpr int kLeastResidues = 8, kMostResidues = 12;
inline constexpr int kMostAtoms = 5 * kMostResidues, kMostTorsions = 2 * kMostResidues - 2;
using Torsions = std::array<double, kMostTorsions>;  // radians; those beyond the chain's own are 0

// one letter a residue; a letter that is none of the twenty, or a length that is out of range, is named
Result<Sequence> parse_sequence(std::string_view letters);
// a length and letters, all alike likely
Sequence random_sequence(Random& random);

}  // namespace elastane::peptide
