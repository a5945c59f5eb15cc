// lab/peptide/levenberg.h
#include "lab/peptide/levenberg.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/lab/peptide/conformations.h"

namespace elastane::peptide {
namespace {

TEST(Levenberg, LowersTheObjectiveAndStaysWithinAStep) {
  const Energy energy{chain_of("ACDPGHIKLMVY")};
  Random random(1);
  for (const bool boxed : {false, true}) {
    MoveObjective move(energy);
    move.set_start(random_torsions(energy.chain(), random), {1, 9});
    Levenberg levenberg({.iterations = 4, .damping = 3, .boxed = boxed});
    Torsions y = {};
    const LevenbergReport report = levenberg.improve(move, y);
    EXPECT_GT(report.accepted, 0);
    EXPECT_LT(report.value, report.before);
    EXPECT_EQ(report.value, move.value(y));
    for (const double each : y) EXPECT_LE(std::fabs(each), 1 + 1e-12);
  }
}

TEST(Levenberg, WithoutIterationsAProposalIsOnlyClamped) {
  const Energy energy{chain_of("ACDPGHIK")};
  MoveObjective move(energy);
  Torsions y = {};
  y[2] = 7, y[3] = 0.25;
  EXPECT_EQ(Levenberg({.iterations = 0}).improve(move, y).tried, 0);
  EXPECT_EQ(y[2], 1);
  EXPECT_EQ(y[3], 0.25);
}

}  // namespace
}  // namespace elastane::peptide
