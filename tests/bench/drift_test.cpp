// bench/drift.h: the data of `bench correct` are the same in every program that makes them.
#include "bench/drift.h"

#include <gtest/gtest.h>

#include <vector>

namespace elastane::bench {
namespace {

TEST(Drift, IsBoundedAndDependsOnTheStepAlone) {
  std::vector<float> x(kDriftInputs), target(kDriftOutputs), again(kDriftOutputs);
  for (int t = 0; t < 2000; t += 7) {
    drift_inputs(t, x);
    drift_target(t, target);
    drift_target(t, again);
    EXPECT_EQ(target, again);
    for (const float v : x) EXPECT_LE(std::fabs(v), 1.0F);
    for (const float v : target) EXPECT_LE(std::fabs(v), 0.4F + 1e-6F);
  }
}

TEST(Drift, MovesSlowly) {
  std::vector<float> before(kDriftOutputs), now(kDriftOutputs);
  for (int t = 1; t < 500; ++t) {
    drift_target(t - 1, before);
    drift_target(t, now);
    for (std::size_t i = 0; i < now.size(); ++i) EXPECT_LT(std::fabs(now[i] - before[i]), 0.4F * 6.2832F / 200 + 1e-5F);
  }
}

}  // namespace
}  // namespace elastane::bench
