// lab/language/training.cpp: the options of `elastane train language` and `elastane train language_router`.
#include "lab/language/training.h"

#include <gtest/gtest.h>

namespace elastane::language {
namespace {

int code_of(const std::vector<std::string>& arguments) {
  command_line::Command train("train", "");
  lab::TrainingCommands commands(train, {}, "", "");
  add_training(commands);
  return command_line::parse(train, arguments).code;
}

TEST(Training, TakesTheOptionsOfTheTask) {
  EXPECT_EQ(code_of({"language", "--context", "256", "--steps", "2"}), 0);
  EXPECT_EQ(code_of({"language", "--context", "4096"}), 2);
  EXPECT_EQ(code_of({"language_router", "--model", "m", "--epsilon", "0.01"}), 0);
  EXPECT_EQ(code_of({"language_router", "--model", "m", "--position", "front"}), 2) << "a text has no instruction";
}

}  // namespace
}  // namespace elastane::language
