// Tests of elastane/core/base/denormals.h.
#include "elastane/core/base/denormals.h"

#include <gtest/gtest.h>

#include <limits>

namespace elastane {
namespace {

float half(float x) {
  volatile float kept = x;  // or the compiler would compute it beforehand
  return kept * 0.5F;
}

TEST(FlushDenormals, MakesTinyNumbersZeroWhileItLives) {
  const float smallest = std::numeric_limits<float>::min();
  ASSERT_GT(half(smallest), 0.0F);
#if defined(__SSE__) || defined(__aarch64__)
  {
    const FlushDenormals flush;
    EXPECT_EQ(half(smallest), 0.0F);
    {
      const FlushDenormals inner;
      EXPECT_EQ(half(smallest), 0.0F);
    }
    EXPECT_EQ(half(smallest), 0.0F) << "the outer one is still alive";
  }
#endif
  EXPECT_GT(half(smallest), 0.0F);
}

}  // namespace
}  // namespace elastane
