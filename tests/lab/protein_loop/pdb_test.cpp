// lab/protein_loop/pdb.h
#include "lab/protein_loop/pdb.h"

#include <gtest/gtest.h>

namespace elastane::protein_loop {
namespace {

TEST(ProteinPdb, HasALineForEveryAtomAndTheColumnOfValues) {
  const Protein protein = build_protein(8, {.residues = 20});
  std::vector<double> column(20, 1.25);
  const std::string file = to_pdb(protein, "a test", column);
  std::size_t lines = 0, expected = 0;
  for (std::size_t at = file.find("ATOM  "); at != std::string::npos; at = file.find("ATOM  ", at + 1)) ++lines;
  for (const ProteinResidue& residue : protein.residues) expected += residue.has_cb() ? 5 : 4;
  EXPECT_EQ(lines, expected);
  EXPECT_NE(file.find("  1.00  1.25"), std::string::npos);
}

}  // namespace
}  // namespace elastane::protein_loop
