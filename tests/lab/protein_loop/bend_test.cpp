// lab/protein_loop/bend.h
#include "lab/protein_loop/bend.h"

#include <gtest/gtest.h>

namespace elastane::protein_loop {
namespace {

TEST(Bend, ANativeLoopOfIdealGeometryIsNotChangedByTheFit) {
  const Protein protein = build_protein(6);
  const Surroundings surroundings(protein, {});
  const Energy energy(protein, surroundings, {.first = 25, .residues = 12});
  protein_chain::Conformation at;
  energy.chain().place(idealised(energy, protein), at);
  EXPECT_LT(loop_rmsd(energy, at, protein), 1e-4);
}

TEST(Bend, ABentLoopIsAsFarOffAsRequested) {
  const Protein protein = build_protein(6);
  const Surroundings surroundings(protein, {});
  const Energy energy(protein, surroundings, {.first = 25, .residues = 12});
  Random random(1);
  const Torsions torsions =
      bent(energy, protein, torsions_of(protein, energy.window()), random, {.min = 5, .max = 5.01});
  protein_chain::Conformation at;
  energy.chain().place(torsions, at);
  EXPECT_NEAR(loop_rmsd(energy, at, protein), 5.2, 0.25);
  Protein moved = protein;
  place_loop(energy, at, moved);
  EXPECT_NEAR(loop_rmsd(moved, protein, energy.window()), loop_rmsd(energy, at, protein), 1e-9);
}

TEST(Bend, MoreDrawsLeaveASmallerGap) {
  const Protein protein = build_protein(6);
  const Surroundings surroundings(protein, {});
  const Energy energy(protein, surroundings, {.first = 25, .residues = 12});
  const auto gap = [&](int draws) {
    Random random(2);
    protein_chain::Conformation at;
    energy.chain().place(random_torsions(energy, random, draws), at);
    return energy.gap_at(at);
  };
  EXPECT_LT(gap(64), gap(1));
}

}  // namespace
}  // namespace elastane::protein_loop
