// lab/protein_loop/objective.h
#include "lab/protein_loop/objective.h"

#include <gtest/gtest.h>

#include "tests/core/objective/laws.h"
#include "tests/lab/protein_loop/test_site.h"

namespace elastane::protein_loop {
namespace {

TEST(LoopObjective, ObeysTheLawsOfObjectives) {
  const TestSite site;
  Random random(6);
  for (int n = 0; n < 4; ++n) {
    LoopObjective objective(site.energy);
    const Torsions torsions = near_native(site.energy, random, 0.05);
    const Vector y(torsions.begin(), torsions.begin() + site.energy.torsions());
    expect_gradient_is_slope(objective, y);
    expect_symmetric_and_positive(objective, y);
    expect_rows_agree(objective, y);
  }
}

TEST(LoopObjective, AnotherEmphasisIsEvaluatedAgain) {
  const TestSite site;
  Random random(7);
  LoopObjective objective(site.energy);
  const Torsions torsions = near_native(site.energy, random, 0.2);
  const std::span<const double> y = std::span(torsions).first(static_cast<std::size_t>(site.energy.torsions()));
  const double full = objective.value(y);
  objective.emphasise({.wall = 0});
  EXPECT_LT(objective.value(y), full);
  objective.emphasise({});
  EXPECT_EQ(objective.value(y), full);
}

}  // namespace
}  // namespace elastane::protein_loop
