// Tests of elastane/core/backbone/batch.h.
#include "elastane/core/backbone/batch.h"

#include <gtest/gtest.h>

#include <vector>

namespace elastane {
namespace {

TEST(Carver, HandsOutArraysThatDoNotOverlap) {
  std::vector<float> scratch(1000);
  Carver carve(scratch.data(), 3);
  const Rows a = carve.take(5), b = carve.take(20), c = carve.take(1);
  EXPECT_EQ(a.data, scratch.data());
  EXPECT_EQ(b.data, a.data + 3 * padded(5));
  EXPECT_EQ(c.data, b.data + 3 * padded(20));
  EXPECT_EQ(b.count, 3);
  EXPECT_EQ(b.stride, padded(20));
}

struct FixedCost {
  std::int64_t macs() const { return 7; }
};

TEST(Charge, IsTheBlocksCostForEveryRow) {
  BlockReport report;
  const float u[48] = {};
  const BlockCall call{*kernels(Isa::automatic).value(), nullptr, {u, 3, 16}, nullptr, {nullptr, 3, 16}, report};
  charge(FixedCost{}, call);
  EXPECT_EQ(report.macs, 21);
  EXPECT_TRUE(is_described(FixedCost{}));
}

}  // namespace
}  // namespace elastane
