// lab/protein_loop/energy.h
#include "lab/protein_loop/energy.h"

#include <gtest/gtest.h>

#include "tests/lab/protein_loop/test_site.h"

namespace elastane::protein_loop {
namespace {

TEST(LoopEnergy, AWindowOfAWholeChainHasNoGapAndPutsAtomsWhereTheyAre) {
  const TestSite site;
  protein_chain::Conformation at;
  site.energy.chain().place(torsions_of(test_protein(), kTestLoop), at);
  EXPECT_LT(site.energy.gap_at(at), 1e-9);
  EXPECT_LT(loop_rmsd(site.energy, at, test_protein()), 1e-9);
}

TEST(LoopEnergy, ABentLoopHasAGapAndItsClosureDominates) {
  const TestSite site;
  Random random(5);
  EnergyPoint point;
  const Torsions torsions = bent(site.energy, test_protein(), torsions_of(test_protein(), kTestLoop), random);
  const double energy = site.energy.evaluate(torsions, {}, point);
  EXPECT_EQ(energy, point.terms.total());
  EXPECT_GT(point.gap_length(), 0.5);
  EXPECT_NEAR(point.gap_length(), site.energy.gap_at(point.conformation), 1e-12);
  EXPECT_GT(point.terms.closure, 0.5 * energy);
}

TEST(LoopEnergy, WithoutWallsNoPairIsExamined) {
  const TestSite site;
  EnergyPoint point;
  site.energy.evaluate(torsions_of(test_protein(), kTestLoop), {.wall = 0}, point);
  EXPECT_EQ(point.pairs, 0);
  EXPECT_EQ(point.terms.wall, 0);
}

}  // namespace
}  // namespace elastane::protein_loop
