// lab/drifting_target/interval.cpp: intervals of a mean.
#include "lab/drifting_target/interval.h"

#include <gtest/gtest.h>

#include <cmath>

namespace elastane::drifting_target {
namespace {

TEST(Interval, IsStudents) {
  const Interval found = interval({1, 2, 3});
  EXPECT_DOUBLE_EQ(found.mean, 2);
  EXPECT_DOUBLE_EQ(found.half, 4.303 * std::sqrt(1.0 / 3));
}

TEST(Interval, OfOneValueHasNoWidth) {
  EXPECT_EQ(interval({5}).mean, 5);
  EXPECT_EQ(interval({5}).half, 0);
}

}  // namespace
}  // namespace elastane::drifting_target
