// lab/training/progress.cpp: plain lines where there is no terminal, and durations.
#include "lab/training/progress.h"

#include <gtest/gtest.h>

namespace elastane::lab {
namespace {

TEST(Duration, IsShownInMinutesAndHours) {
  EXPECT_EQ(duration(0.4), "0:00");
  EXPECT_EQ(duration(75), "1:15");
  EXPECT_EQ(duration(3600 + 62), "1:01:02");
}

TEST(Progress, PrintsOnlyLinesWithoutATerminal) {
  ::testing::internal::CaptureStderr();
  {
    Progress progress(0, 10, true);
    progress.update(5, 0.1, 0.2);
    progress.line("step 5");
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "step 5\n");
}

TEST(Progress, PrintsNothingIfItIsNotShown) {
  ::testing::internal::CaptureStderr();
  Progress(0, 10, false).line("step 5");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace elastane::lab
