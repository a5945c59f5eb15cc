// Tests of elastane/core/metric/geometry_memory.cpp: what survives a step lies in the memory that the caller gives.
#include <gtest/gtest.h>

#include "tests/laws/workbench.h"

namespace elastane {
namespace {

TEST(GeometryMemory, FitsItsSizeForEveryMetric) {
  for (int i = 0; i < kMetrics; ++i) {
    const auto kind = static_cast<Metric>(i);
    constexpr int kD = 9, kM = 4;
    Geometry geometry({.kind = kind, .rank = 3}, kD, kM, *kernels(test_isa()).value(), {});
    Vector memory(geometry.memory_doubles() + kDoubleLane, 7.25);
    geometry.carve_memory(memory.data());
    geometry.reset_memory();
    for (std::size_t end = memory.size() - kDoubleLane; end < memory.size(); ++end) {
      EXPECT_EQ(memory[end], 7.25) << name(kind) << " wrote behind its end";
    }
    EXPECT_EQ(geometry.memory.scale, memory.data());
    EXPECT_EQ(*geometry.memory.count, 0);
  }
}

TEST(GeometryMemory, StartsTheCovarianceAtThePrior) {
  Geometry geometry({.kind = Metric::kalman, .prior_variance = 0.5}, 3, 2, *kernels(test_isa()).value(), {});
  Vector memory(geometry.memory_doubles());
  geometry.carve_memory(memory.data());
  geometry.reset_memory();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) EXPECT_EQ(geometry.memory.covariance[i][j], i == j ? 0.5 : 0.0);
  }
}

}  // namespace
}  // namespace elastane
