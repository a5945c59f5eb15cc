// lab/recall/copy_exact.cpp: copying without training, against its bounds.
#include "lab/recall/copy_exact.h"

#include <gtest/gtest.h>

namespace elastane::recall {
namespace {

TEST(CopyExact, AShiftRegisterMeetsItsBound) {
  for (const int length : {4, 8, 9, 10}) {
    EXPECT_NEAR(shift_register_error(4, 8, length, 4000, 3), shift_register_bound(4, 8, length), 0.025) << length;
  }
  EXPECT_EQ(shift_register_bound(4, 8, 8), 0);
  EXPECT_EQ(shift_register_bound(4, 8, 9), 0.75);
}

TEST(CopyExact, AStateCopiesNoMoreStringsThanItHasValues) {
  EXPECT_EQ(copy_bound(4, 2, 8), 1) << "16 bits hold eight symbols of two bits";
  EXPECT_DOUBLE_EQ(copy_bound(4, 2, 10), 1.0 / 16);
  EXPECT_DOUBLE_EQ(copy_bound(4, 2, 10), 1 - shift_register_bound(4, 8, 10)) << "a register of 16 bits";
  EXPECT_EQ(copy_bound(26, 512, 4096), 0);
  EXPECT_EQ(copy_bound(26, 0, 0), 1) << "nothing to copy";
}

TEST(CopyExact, ALookUpOfNgramsStaysBelowItsBound) {
  for (const int n : {2, 3}) {
    for (const int length : {16, 64}) {
      const NgramErrors e = ngram_copy_error(26, n, length, 500, 4);
      EXPECT_LE(e.error, e.repeated) << "without a repeated n-gram nothing can go wrong";
      EXPECT_LE(e.repeated, e.bound);
    }
  }
  EXPECT_LT(ngram_copy_error(26, 4, 64, 500, 4).error, 0.02);
}

}  // namespace
}  // namespace elastane::recall
