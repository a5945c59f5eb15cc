// lab/maze/training.cpp: the options of `elastane train maze`.
#include "lab/maze/training.h"

#include <gtest/gtest.h>

namespace elastane::maze {
namespace {

// the exit code: 0, or 2 for wrong usage
int code_of(std::vector<std::string> arguments) {
  command_line::Command train("train", "");
  lab::TrainingCommands commands(train, {}, "", "");
  add_training(commands);
  arguments.insert(arguments.begin(), "maze");
  return command_line::parse(train, arguments).code;
}

TEST(Training, AnAgentWithAMapTakesOnlyTheOptionsThatItUses) {
  EXPECT_EQ(code_of({"--network", "map", "--walks", "64", "--price", "0.01", "--only", "k0"}), 0);
  EXPECT_EQ(code_of({"--network", "ssm", "--size", "small", "--steps", "5"}), 0);
  for (const char* option : {"--steps", "--ranks", "--batch", "--width"}) {
    EXPECT_EQ(code_of({option, "5"}), 2) << option;
  }
  EXPECT_EQ(code_of({"--size", "small"}), 2);
  EXPECT_EQ(code_of({"--network", "ssm", "--price", "1"}), 2);
}

}  // namespace
}  // namespace elastane::maze
