// lab/plant/training.cpp: the options of `elastane train plant`.
#include "lab/plant/training.h"

#include <gtest/gtest.h>

namespace elastane::plant {
namespace {

// the exit code: 0, or 2 for wrong usage
int code_of(std::vector<std::string> arguments) {
  command_line::Command train("train", "");
  lab::TrainingCommands commands(train, {}, "", "");
  add_training(commands);
  arguments.insert(arguments.begin(), "plant");
  return command_line::parse(train, arguments).code;
}

TEST(Training, TakesTheOptionsOfTheTask) {
  EXPECT_EQ(code_of({"--plant", "reactor", "--nominal", "--runs", "64"}), 0);
  EXPECT_EQ(code_of({"--plant", "engine"}), 2);
  EXPECT_EQ(code_of({"--paths", "4"}), 2);
}

}  // namespace
}  // namespace elastane::plant
