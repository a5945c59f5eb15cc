// Tests of elastane/core/base/view.h.
#include "elastane/core/base/view.h"

#include <gtest/gtest.h>

#include <array>

namespace elastane {
namespace {

TEST(Rows, AreAStrideApart) {
  std::array<double, 24> data{};
  const DoubleRows rows{data.data(), 3, 8};
  rows[2][1] = 5;
  EXPECT_EQ(data[17], 5.0);
  const ConstDoubleRows tail = rows.slice(1, 2);
  EXPECT_EQ(tail.count, 2);
  EXPECT_EQ(tail[1][1], 5.0);
}

TEST(Rows, ArePaddedToWholeVectors) {
  EXPECT_EQ(padded(1), kLane);
  EXPECT_EQ(padded(kLane), kLane);
  EXPECT_EQ(padded(kLane + 1), 2 * kLane);
  EXPECT_EQ(double_stride(0), 0);
  EXPECT_EQ(double_stride(9), 2 * kDoubleLane);
}

TEST(SpanOf, HasSoManyElements) {
  std::array<double, 4> data{};
  const std::span<double> span = span_of(data.data(), 3);
  EXPECT_EQ(span.size(), 3U);
  EXPECT_EQ(span.data(), data.data());
}

}  // namespace
}  // namespace elastane
