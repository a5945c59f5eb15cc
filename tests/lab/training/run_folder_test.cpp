// lab/training/run_folder.cpp: what a folder keeps, and which runs it continues.
#include "lab/training/run_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/io/folder.h"

namespace elastane::lab {
namespace {

nlohmann::ordered_json options(double rate) {
  return {{"threads", 1}, {"ranks", 1}, {"commit", "c"}, {"options", {{"rate", rate}}}};
}

void add_checkpoint(const RunFolder& run) { std::ofstream(run.checkpoint_path()) << "x"; }

std::string message_of(const std::string& path, double rate, bool resume) {
  try {
    RunFolder(path, options(rate), resume, true);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(RunFolder, WritesTheOptionsOfARun) {
  const Folder folder;
  const RunFolder run(folder / "a/b", options(0.1), false, true);
  std::ifstream file(folder / "a/b/run.json");
  EXPECT_EQ(nlohmann::ordered_json::parse(file), options(0.1));
  EXPECT_FALSE(run.has_checkpoint());
}

TEST(RunFolder, WritesNothingInAnotherRank) {
  const Folder folder;
  RunFolder run(folder / "a", options(0.1), false, false);
  run.add({.step = 1});
  EXPECT_FALSE(std::filesystem::exists(folder / "a"));
}

TEST(RunFolder, ContinuesARunWithTheSameOptionsOnly) {
  const Folder folder;
  const std::string path = folder / "a";
  add_checkpoint(RunFolder(path, options(0.1), false, true));
  EXPECT_EQ(message_of(path, 0.1, true), "");
  EXPECT_NE(message_of(path, 0.5, true).find("started with other options (rate: 0.1, now 0.5)"), std::string::npos);
  EXPECT_NE(message_of(path, 0.1, false).find("already contains a run; continue it with --resume"), std::string::npos);
}

TEST(RunFolder, RefusesARecordThatIsNotOne) {
  const Folder folder;
  std::filesystem::create_directories(folder / "a");
  std::ofstream(folder / "a/run.json") << "{";
  EXPECT_NE(message_of(folder / "a", 0.1, true).find("expected the options of a run"), std::string::npos);
}

TEST(RunFolder, KeepsCurvesUpToTheStepItContinuesFrom) {
  const Folder folder;
  const std::string path = folder / "a";
  {
    RunFolder run(path, options(0.1), false, true);
    for (int step = 10; step <= 40; step += 10) run.add({.step = step, .loss = 1.0 / step, .seconds = step / 2.0});
  }
  RunFolder again(path, options(0.1), true, true);
  EXPECT_EQ(again.continue_from(20), 10);
  again.add({.step = 21, .seconds = 11});
  std::ifstream file(path + "/curves.csv");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0], "step,loss,held_out,rate,gradient_norm,seconds");
  EXPECT_TRUE(lines[3].starts_with("21,"));
}

TEST(RunFolder, RemovesWhatACrashLeft) {
  const Folder folder;
  std::filesystem::create_directories(folder / "a");
  std::ofstream(folder / "a/model.safetensors.partial-12") << "x";
  RunFolder(folder / "a", options(0.1), false, true);
  EXPECT_FALSE(std::filesystem::exists(folder / "a/model.safetensors.partial-12"));
}

}  // namespace
}  // namespace elastane::lab
