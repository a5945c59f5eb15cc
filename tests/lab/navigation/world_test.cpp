// lab/navigation/world.h: what programs can reproduce and play.
#include "lab/navigation/world.h"

#include <gtest/gtest.h>

#include "tests/paths.h"

namespace elastane::navigation {
namespace {

TEST(NavigationWorld, OpensEveryBenchmarkUnderItsName) {
  const lab::World all = world();
  ASSERT_EQ(all.benchmarks.size(), 7U);
  for (const lab::BenchmarkEntry& entry : all.benchmarks) {
    EXPECT_EQ(entry.open(ELASTANE_MODELS).value()->name(), entry.name);
    EXPECT_FALSE(entry.what.empty());
    EXPECT_FALSE(entry.open("no/such/folder"));
  }
  EXPECT_TRUE(all.benchmarks.front().custom);
}

TEST(NavigationWorld, TrainsBothPolicies) {
  const auto calls = world().benchmarks.front().training("weights");
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_EQ(calls[0].back(), "weights/navigation.safetensors");
  EXPECT_EQ(calls[1].back(), "weights/navigation_transformer.safetensors");
}

}  // namespace
}  // namespace elastane::navigation
