// lab/plant/guard_reproduction.cpp: the command.
#include "lab/plant/guard_reproduction.h"

#include <gtest/gtest.h>

namespace elastane::plant {
namespace {

TEST(GuardReproduction, RefusesWrongUsageAndSaysWhichModelIsMissing) {
  const auto run = [](std::vector<const char*> arguments) {
    command_line::Command program("guard", "");
    guard_reproduction().declare(program);
    arguments.insert(arguments.begin(), "guard");
    return command_line::parse_and_run(program, static_cast<int>(arguments.size()), arguments.data());
  };
  testing::internal::CaptureStderr();
  EXPECT_EQ(run({"--seeds", "0"}), 2);
  EXPECT_EQ(run({"--guard", "sometimes"}), 2);
  testing::internal::CaptureStdout();
  EXPECT_THROW(run({"--models", "nowhere"}), std::runtime_error);
  testing::internal::GetCapturedStdout();
  testing::internal::GetCapturedStderr();
}

}  // namespace
}  // namespace elastane::plant
