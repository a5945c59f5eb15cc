// lab/plant/reproduction.cpp: the command.
#include "lab/plant/reproduction.h"

#include <gtest/gtest.h>

namespace elastane::plant {
namespace {

TEST(Reproduction, RefusesWrongUsageAndSaysWhichModelIsMissing) {
  const auto run = [](std::vector<const char*> arguments) {
    command_line::Command program("plants", "");
    plants_reproduction().declare(program);
    arguments.insert(arguments.begin(), "plants");
    return command_line::parse_and_run(program, static_cast<int>(arguments.size()), arguments.data());
  };
  testing::internal::CaptureStderr();
  EXPECT_EQ(run({"--seeds", "0"}), 2);
  EXPECT_EQ(run({"--steps", "3"}), 2);
  EXPECT_THROW(run({"--models", "nowhere"}), std::runtime_error);
  testing::internal::GetCapturedStderr();
}

}  // namespace
}  // namespace elastane::plant
