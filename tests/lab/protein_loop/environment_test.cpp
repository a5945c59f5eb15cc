// lab/protein_loop/environment.h
#include "lab/protein_loop/environment.h"

#include <gtest/gtest.h>

#include "tests/lab/protein_loop/test_site.h"

namespace elastane::protein_loop {
namespace {

TEST(LoopEnvironment, AnUndamagedProteinHasNothingWrongWithIt) {
  const Assessment assessment = assess(Environment(test_protein()));
  EXPECT_TRUE(assessment.is_repaired());
  EXPECT_LT(assessment.widest_gap, 1e-9);
}

TEST(LoopEnvironment, CommittingAWindowAsItIsChangesNothing) {
  const TestSite site;
  Environment environment(test_protein());
  const Torsions torsions = environment.torsions(kTestLoop);
  protein_chain::Conformation at;
  site.energy.chain().place(torsions, at);
  environment.commit(site.energy, torsions, at);
  for (int i = 0; i < environment.size(); ++i) {
    EXPECT_LT(length(environment.protein().residue(i).at.ca - test_protein().residue(i).at.ca), 1e-9);
    EXPECT_LT(length(environment.protein().residue(i).o - test_protein().residue(i).o), 1e-9);
  }
}

}  // namespace
}  // namespace elastane::protein_loop
