// lab/protein_loop/protein.h
#include "lab/protein_loop/protein.h"

#include <gtest/gtest.h>

namespace elastane::protein_loop {
namespace {

const Protein& protein() {
  static const Protein built = build_protein(8, {.residues = 40});
  return built;
}

TEST(Protein, AWindowNeedsAResidueOnEitherSideAndABoundedLength) {
  EXPECT_TRUE(validate(Window{.first = 1, .residues = 12}, protein()));
  EXPECT_TRUE(validate(Window{.first = 27, .residues = 12}, protein()));
  EXPECT_FALSE(validate(Window{.first = 0, .residues = 12}, protein()));
  EXPECT_FALSE(validate(Window{.first = 28, .residues = 12}, protein()));
  EXPECT_FALSE(validate(Window{.first = 5, .residues = 2}, protein()));
  EXPECT_FALSE(validate(Window{.first = 5, .residues = kMaxWindow + 1}, protein()));
}

TEST(Protein, ABrokenJointIsNamed) {
  Protein broken = protein();
  broken.residues.erase(broken.residues.begin() + 20);
  EXPECT_FALSE(is_bonded(broken, 19));
  EXPECT_TRUE(is_bonded(broken, 20));
  const Status status = validate_joints(broken, 0, broken.size() - 1);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().find(broken.residue(19).name), std::string::npos) << status.error();
}

TEST(Protein, AResidueKnowsItsAtoms) {
  ProteinResidue residue = protein().residue(5);
  residue.letter = 'A';
  EXPECT_NEAR(length(residue.atom(AtomKind::cb) - residue.at.ca), protein_chain::Geometry::ca_cb, 1e-6);
  residue.letter = 'G';
  EXPECT_EQ(length(residue.atom(AtomKind::cb) - residue.at.ca), 0);
}

}  // namespace
}  // namespace elastane::protein_loop
