// lab/protein_loop/listing.h
#include "lab/protein_loop/listing.h"

#include <gtest/gtest.h>

#include "lab/protein_loop/pdb.h"

namespace elastane::protein_loop {
namespace {

TEST(Listing, AWrittenProteinHasOneChainWithItsLetters) {
  const Protein protein = build_protein(8, {.residues = 12});
  const std::vector<ListedChain> chains = list_chains(to_pdb(protein, ""), "test");
  ASSERT_EQ(chains.size(), 1U);
  EXPECT_EQ(chains[0].name, "A");
  ASSERT_EQ(chains[0].residues.size(), 12U);
  for (int i = 0; i < 12; ++i) {
    const ListedResidue& residue = chains[0].residues[static_cast<std::size_t>(i)];
    EXPECT_EQ(residue.letter, protein.residue(i).letter);
    EXPECT_EQ(residue.number, std::to_string(i + 1));
    EXPECT_FALSE(residue.hetero);
    ASSERT_TRUE(residue.ca);
    EXPECT_LT(length(*residue.ca - protein.residue(i).at.ca), 1e-3);
  }
}

TEST(Listing, ATextThatIsNotAStructureThrows) { EXPECT_THROW(list_chains("hello", "test"), std::exception); }

}  // namespace
}  // namespace elastane::protein_loop
