// Chains and torsions for tests.
#pragma once

#include "elastane/core/base/random.h"
#include "lab/protein_chain/chain.h"

namespace elastane::protein_chain {

using Torsions = std::array<double, kMaxTorsions>;

inline Chain chain_of(std::string_view letters) { return Chain(classified(letters)); }

inline Torsions random_torsions(const Chain& chain, Random& random) {
  Torsions torsions = {};
  for (int t = 0; t < chain.torsions(); ++t) torsions[static_cast<std::size_t>(t)] = random.uniform(-3.1, 3.1);
  return torsions;
}

}  // namespace elastane::protein_chain
