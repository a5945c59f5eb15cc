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
  const std::vector<std::vector<std::string>> unused = {
      {"--method", "paper", "--epsilon", "0.1"},       {"--method", "price", "--most-full", "3"},
      {"--method", "examples", "--price", "1"},        {"--method", "examples", "--first-temperature", "1"},
      {"--method", "price", "--multiplier-rate", "1"}, {"--method", "static", "--steps", "9"},
      {"--method", "static", "--position", "front"},   {"--method", "examples", "--exhaustive", "2"}};
  for (std::vector<std::string> arguments : unused) {
    arguments.insert(arguments.end(), {"--model", "m"});
    EXPECT_EQ(code_of(arguments), 2) << arguments[2] << " is not used by " << arguments[1];
  }
  EXPECT_EQ(code_of({"--model", "m", "--method", "luck"}), 2);
  EXPECT_EQ(code_of({"--model", "m", "--position", "back"}), 2);
}

}  // namespace
}  // namespace elastane::recall
