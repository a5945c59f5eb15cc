// lab/recall/training_router.cpp: the options of `elastane train router`.
#include "lab/recall/training_router.h"

#include <gtest/gtest.h>

namespace elastane::recall {
namespace {

int code_of(std::vector<std::string> arguments) {
  command_line::Command train("train", "");
  lab::TrainingCommands commands(train, {}, "", "");
  add_router_training(commands);
  arguments.insert(arguments.begin(), "router");
  return command_line::parse(train, arguments).code;
}

TEST(RouterTraining, TakesItsMethodsPoolingsAndPositions) {
  for (const char* method : {"examples", "paper", "released", "price", "static"}) {
    EXPECT_EQ(code_of({"--model", "m", "--method", method}), 0) << method;
  }
  EXPECT_EQ(code_of({"--model", "m", "--pooling", "mean", "--position", "middle"}), 0);
  EXPECT_EQ(code_of({"--method", "examples"}), 2) << "a model is required";
  EXPECT_EQ(code_of({"--model", "m", "--method", "luck"}), 2);
  EXPECT_EQ(code_of({"--model", "m", "--position", "back"}), 2);
}

}  // namespace
}  // namespace elastane::recall
