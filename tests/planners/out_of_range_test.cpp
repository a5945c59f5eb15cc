// elastane/planners/out_of_range.h: says where, what was expected and what was found.
#include "elastane/planners/out_of_range.h"

#include <gtest/gtest.h>

namespace elastane::planners {
namespace {

TEST(OutOfRange, NamesPlannerOptionRangeAndValue) {
  EXPECT_EQ(out_of_range("ilqr", "horizon", "1 to 1000", 0.5).message, "[ilqr] horizon: expected 1 to 1000, found 0.5");
}

}  // namespace
}  // namespace elastane::planners
