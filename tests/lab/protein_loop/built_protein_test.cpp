// lab/protein_loop/built_protein.cpp
#include <gtest/gtest.h>

#include "lab/protein_loop/environment.h"

namespace elastane::protein_loop {
namespace {

TEST(BuiltProtein, HasTheRequestedLengthAndNoFlaw) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Protein protein = build_protein(seed, {.residues = 70});
    EXPECT_EQ(protein.size(), 70);
    EXPECT_TRUE(validate_joints(protein, 0, protein.size() - 1));
    EXPECT_EQ(assess(Environment(protein)).clashes, 0);
  }
}

TEST(BuiltProtein, EqualSeedsBuildTheSame) {
  const Protein a = build_protein(4), b = build_protein(4), c = build_protein(5);
  EXPECT_EQ(length(a.residue(50).at.ca - b.residue(50).at.ca), 0);
  EXPECT_GT(length(a.residue(50).at.ca - c.residue(50).at.ca), 0.1);
}

}  // namespace
}  // namespace elastane::protein_loop
