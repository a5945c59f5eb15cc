// bench/bare_step.cpp: the bare step is finite, and rivals that are not built give no answer.
#include "bench/bare_step.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bench/corrected_run.h"

namespace elastane::bench {
namespace {

TEST(BareStep, IsTimedAtPointsOfAStream) {
  const ModelConfig config = drift_model(64);
  const Timed timed = time_bare_step(Model::create(config, random_tensors(config, 1)).value(), 100);
  EXPECT_TRUE(std::isfinite(timed.time.p50));
  EXPECT_GE(timed.time.max, timed.time.p50);
}

}  // namespace
}  // namespace elastane::bench
