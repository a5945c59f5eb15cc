// A protein with a loop, for tests.
#pragma once

#include "lab/protein_loop/bend.h"

namespace elastane::protein_loop {

inline const Protein& test_protein() {
  static const Protein built = build_protein(3);
  return built;
}
inline constexpr Window kTestLoop{.first = 30, .residues = 12};

struct TestSite {
  Surroundings surroundings{test_protein(), {}};
  Energy energy{test_protein(), surroundings, kTestLoop};
};

// torsions near the native ones, so that walls, wells, the closure and Ramachandran all have a part
inline Torsions near_native(const Energy& energy, Random& random, double spread) {
  Torsions torsions = torsions_of(test_protein(), kTestLoop);
  for (int t = 0; t < energy.torsions(); ++t) torsions[static_cast<std::size_t>(t)] += spread * random.normal();
  return torsions;
}

}  // namespace elastane::protein_loop
