// command_line/bar.cpp: nothing is printed where there is no terminal.
#include "command_line/bar.h"

#include <gtest/gtest.h>

namespace elastane::command_line {
namespace {

TEST(Bar, PrintsNothingWithoutATerminal) {
  ::testing::internal::CaptureStderr();
  {
    Bar bar;
    bar.update(0.5, "half");
    bar.update(1, "done");
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace elastane::command_line
