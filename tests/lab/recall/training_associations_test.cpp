// lab/recall/training_associations.cpp: a short training writes its rows.
#include "lab/recall/training_associations.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "lab/recall/recall_rows.h"

namespace elastane::recall {
namespace {

TEST(TrainingAssociations, AFewStepsAreTestedAndWritten) {
  const std::string journal = testing::TempDir() + "associations.jsonl";
  std::filesystem::remove(journal);
  command_line::Command train("train", "");
  lab::TrainingCommands commands(train, {}, "", "");
  add_association_training(commands);
  const std::vector<std::string> arguments = {
      "associations", "--task", "rebind", "--stack", "squares32", "--steps", "2", "--tests", "1", "--journal", journal};
  EXPECT_EQ(command_line::parse(train, arguments).run(), 0);
  const std::vector<RecallRow> rows = read_rows(journal).value();
  ASSERT_EQ(rows.size(), 3u) << "as trained, with inflation, on surprise";
  for (const RecallRow& row : rows) {
    EXPECT_EQ(row.part, "rebind");
    EXPECT_TRUE(row.accuracy && row.accuracy_changed && row.state_bytes && row.train_seconds);
  }
}

TEST(TrainingAssociations, OptionsThatDoNotFitAreRefused) {
  const auto refusal = [](std::vector<std::string> arguments) -> std::string {
    command_line::Command train("train", "");
    lab::TrainingCommands commands(train, {}, "", "");
    add_association_training(commands);
    arguments.insert(arguments.begin(), {"associations", "--steps", "0", "--tests", "1"});
    try {
      command_line::parse(train, arguments).run();
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal({"--pairs", "300", "--vocabulary", "64"}).find("at least 600"), std::string::npos);
  EXPECT_NE(refusal({"--task", "copy", "--pairs", "8"}).find("--task mqar"), std::string::npos);
  EXPECT_NE(refusal({"--task", "rebind", "--stack", "delta32", "--curriculum"}).find("--task mqar"), std::string::npos);
}

}  // namespace
}  // namespace elastane::recall
