// lab/recall/training.cpp: the options of `elastane train recall`.
#include "lab/recall/training.h"

#include <gtest/gtest.h>

namespace elastane::recall {
namespace {

// the exit code: 0, or 2 for wrong usage
int code_of(std::vector<std::string> arguments) {
  command_line::Command train("train", "");
  lab::TrainingCommands commands(train, {}, "", "");
  add_training(commands);
  return command_line::parse(train, arguments).code;
}

TEST(Training, TakesTheOptionsOfTheTask) {
  EXPECT_EQ(code_of({"recall", "--size", "medium", "--context", "1024", "--prompts", "64"}), 0);
  EXPECT_EQ(code_of({"recall", "--size", "huge"}), 2);
  EXPECT_EQ(code_of({"recall", "--context", "12"}), 2);
}

}  // namespace
}  // namespace elastane::recall
