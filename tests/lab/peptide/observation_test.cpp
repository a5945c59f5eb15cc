// lab/peptide/observation.h
#include "lab/peptide/observation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/lab/peptide/conformations.h"

namespace elastane::peptide {
namespace {

TEST(Observation, TheLeverOfATorsionIsTheChangeOfTheDistance) {
  const Energy energy{chain_of("ACDPGHIKLM")};
  const Contact contact{1, 8};
  Random random(2);
  const Torsions torsions = random_torsions(energy.chain(), random);
  EnergyPoint point;
  std::array<float, kInputs> x, more, less;
  observe(energy, torsions, contact, point, x);
  for (std::size_t t = 0; t < static_cast<std::size_t>(energy.chain().torsions()); ++t) {
    Torsions up = torsions, down = torsions;
    up[t] += 1e-3, down[t] -= 1e-3;
    observe(energy, up, contact, point, more);
    observe(energy, down, contact, point, less);
    EXPECT_NEAR(x[kLeverPart + t], (more[kRequestPart + 1] - less[kRequestPart + 1]) / 2e-3F, 2e-3F) << t;
  }
}

TEST(Observation, WithoutAContactNothingIsMarked) {
  const Energy energy{chain_of("ACDPGHIKLM")};
  Random random(3);
  EnergyPoint point;
  std::array<float, kInputs> x;
  observe(energy, random_torsions(energy.chain(), random), {}, point, x);
  for (std::size_t i = 0; i < kMaxResidues; ++i) EXPECT_EQ(x[kMarkPart + i], 0.0F);
  EXPECT_EQ(x[kRequestPart], 0.0F);
  for (const float each : x) EXPECT_TRUE(std::isfinite(each));
}

}  // namespace
}  // namespace elastane::peptide
