// lab/language/training_stacks.cpp: a short training writes every field of the study.
#include "lab/language/training_stacks.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace elastane::language {
namespace {

TEST(TrainingStacks, AStepIsTestedAndWritten) {
  const std::string journal = testing::TempDir() + "stacks.jsonl";
  std::filesystem::remove(journal);
  command_line::Command train("train", "");
  lab::TrainingCommands commands(train, {}, "", "");
  add_stack_training(commands);
  const std::vector<std::string> arguments = {"text", "--stack",   "delta", "--steps",   "1",    "--batch",
                                              "1",    "--context", "64",    "--journal", journal};
  EXPECT_EQ(command_line::parse(train, arguments).run(), 0);
  std::ifstream file(journal);
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  const auto row = nlohmann::json::parse(line);
  for (const char* name : {"part", "model", "seed", "length", "pairs", "accuracy", "accuracy_changed", "state_bytes",
                           "write_share", "p50_us", "bits_per_byte", "train_seconds"}) {
    EXPECT_TRUE(row.contains(name)) << name;
  }
  EXPECT_EQ(row.size(), 12U);
  EXPECT_GT(row["bits_per_byte"].get<double>(), 4) << "one step learns little";
  EXPECT_LT(row["bits_per_byte"].get<double>(), 9);
}

}  // namespace
}  // namespace elastane::language
