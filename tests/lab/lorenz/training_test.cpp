// lab/lorenz/training.cpp: the options of `elastane train lorenz`.
#include "lab/lorenz/training.h"

#include <gtest/gtest.h>

namespace elastane::lorenz {
namespace {

// the exit code: 0, or 2 for wrong usage
int code_of(std::vector<std::string> arguments) {
  command_line::Command train("train", "");
  lab::TrainingCommands commands(train, {}, "", "");
  add_training(commands);
  arguments.insert(arguments.begin(), "lorenz");
  return command_line::parse(train, arguments).code;
}

TEST(Training, TakesTheOptionsOfTheTask) {
  EXPECT_EQ(code_of({"--paths", "4", "--path-steps", "100", "--steps", "2"}), 0);
  EXPECT_EQ(code_of({"--paths", "0"}), 2);
  EXPECT_EQ(code_of({"--nominal"}), 2);
}

}  // namespace
}  // namespace elastane::lorenz
