// lab/protein_loop/custom_loop.h
#include "lab/protein_loop/custom_loop.h"

#include <gtest/gtest.h>

#include "lab/protein_loop/bend.h"

namespace elastane::protein_loop {
namespace {

constexpr Window kLoop{.first = 40, .residues = 9};

bool says(const std::string& message, const std::string& part) { return message.find(part) != std::string::npos; }

// atoms a little off, as a crystal's are
Protein shaken(Protein protein, double by) {
  Random random(5);
  const auto shake = [&](Vec3& at) {
    at = at + Vec3{by * random.normal(), by * random.normal(), by * random.normal()};
  };
  for (ProteinResidue& residue : protein.residues) {
    shake(residue.at.n), shake(residue.at.ca), shake(residue.at.c), shake(residue.o);
  }
  return protein;
}

TEST(CustomLoop, AStretchInIdealGeometryIsClosedAndNearTheFilesAtoms) {
  const Protein protein = shaken(build_protein(3, {.residues = 80}), 0.05);
  const Window stretch = inner(protein);
  EXPECT_GT(assess(Environment(protein)).widest_gap, 0.1);
  const Environment ideal = idealised_stretch(protein, stretch);
  EXPECT_LT(assess(ideal, stretch).widest_gap, 0.05);
  EXPECT_LT(loop_rmsd(ideal.protein(), protein, stretch), 0.3);
}

TEST(CustomLoop, ResiduesBeyondTheStretchStayInPlace) {
  const Protein protein = build_protein(4, {.residues = 160});
  const Window loop{.first = 100, .residues = 10};
  const auto episode = bend_custom_loop(protein, loop, 1);
  ASSERT_TRUE(episode) << episode.error();
  EXPECT_EQ(episode->stretch.residues, kMaxStretch);
  EXPECT_LE(episode->stretch.first, loop.first);
  EXPECT_GE(episode->stretch.last(), loop.last());
  EXPECT_EQ(episode->window(episode->windows() - 1).last(), episode->stretch.last());
  for (int i = 0; i + 1 < episode->stretch.first; ++i) {
    EXPECT_EQ(length(episode->bent.protein().residue(i).at.c - protein.residue(i).at.c), 0);
  }
}

TEST(CustomLoop, EqualSeedsBendAlike) {
  const Protein protein = build_protein(6, {.residues = 80});
  const auto bent_by = [&](std::uint64_t seed) {
    return bend_custom_loop(protein, kLoop, seed).value().bent.protein();
  };
  EXPECT_EQ(loop_rmsd(bent_by(2), bent_by(2), kLoop), 0);
  EXPECT_GT(loop_rmsd(bent_by(2), bent_by(3), kLoop), 0.5);
  EXPECT_GT(loop_rmsd(bent_by(2), protein, kLoop), 3.9);
}

TEST(CustomLoop, ALoopThatIsTooShortOrTooLongIsRefused) {
  const Protein protein = build_protein(6, {.residues = 80});
  for (const int residues : {3, 13}) {
    const auto stretch = stretch_around(protein, {.first = 40, .residues = residues});
    ASSERT_FALSE(stretch);
    EXPECT_TRUE(says(stretch.error(), "expected 4 to 12 residues")) << stretch.error();
  }
}

TEST(CustomLoop, ABreakNearbyEndsTheStretchAndOneTooNearIsNamed) {
  Protein protein = build_protein(6, {.residues = 80});
  protein.residues.erase(protein.residues.begin() + 55);
  const auto stretch = stretch_around(protein, kLoop);
  ASSERT_TRUE(stretch) << stretch.error();
  EXPECT_EQ(stretch->last(), 53);  // 54 stays in place
  protein.residues.erase(protein.residues.begin() + 38);
  const auto squeezed = stretch_around(protein, {.first = 40, .residues = 9});
  ASSERT_TRUE(squeezed) << squeezed.error();
  protein.residues.erase(protein.residues.begin() + 50);
  const auto refused = stretch_around(protein, {.first = 40, .residues = 9});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(says(refused.error(), protein.residue(38).name)) << refused.error();
}

TEST(CustomLoop, AResidueFarFromTheRestIsNamed) {
  Protein protein = build_protein(6, {.residues = 80});
  protein.residue(3).o.x = 9999;
  const auto stretch = stretch_around(protein, kLoop);
  ASSERT_FALSE(stretch);
  EXPECT_TRUE(says(stretch.error(), protein.residue(3).name)) << stretch.error();
}

}  // namespace
}  // namespace elastane::protein_loop
