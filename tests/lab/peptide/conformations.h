// Chains and torsions for tests.
#pragma once

#include "lab/peptide/sequence.h"

namespace elastane::peptide {

inline Chain chain_of(std::string_view letters) { return Chain(parse_sequence(letters).value()); }

inline Torsions random_torsions(const Chain& chain, Random& random) {
  Torsions torsions = {};
  for (int t = 0; t < chain.torsions(); ++t) torsions[static_cast<std::size_t>(t)] = random.uniform(-3.1, 3.1);
  return torsions;
}

}  // namespace elastane::peptide
