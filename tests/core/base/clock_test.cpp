// Tests of elastane/core/base/clock.h.
#include "elastane/core/base/clock.h"

#include <gtest/gtest.h>

namespace elastane {
namespace {

TEST(Clock, NeverGoesBack) {
  double before = now_micros();
  for (int i = 0; i < 1000; ++i) {
    const double now = now_micros();
    ASSERT_GE(now, before);
    before = now;
  }
}

}  // namespace
}  // namespace elastane
