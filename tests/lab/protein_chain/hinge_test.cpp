// lab/protein_chain/hinge.h
#include "lab/protein_chain/hinge.h"

#include <gtest/gtest.h>

namespace elastane::protein_chain {
namespace {

TEST(Hinge, IsZeroBelowAndLinearNearZero) {
  EXPECT_EQ(Hinge(-1, 2).value, 0);
  EXPECT_EQ(Hinge(0, 2).slope, 0);
  EXPECT_NEAR(Hinge(1e-6, 2).value, 1e-6, 1e-15);
}

TEST(Hinge, TheSlopeMatchesDifferences) {
  for (const double x : {0.01, 0.5, 2.0, 30.0}) {
    const double difference = (Hinge(x + 1e-6, 1.5).value - Hinge(x - 1e-6, 1.5).value) / 2e-6;
    EXPECT_NEAR(Hinge(x, 1.5).slope, difference, 1e-7) << x;
  }
}

TEST(Hinge, GrowsLikeARootFarAway) { EXPECT_NEAR(Hinge(4e6, 1).value / Hinge(1e6, 1).value, 2, 1e-6); }

}  // namespace
}  // namespace elastane::protein_chain
