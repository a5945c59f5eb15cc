// lab/recall/study.cpp: what a journal holds, and what it still lacks.
#include "lab/recall/study.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/lab/recall/study_lines.h"

namespace elastane::recall {
namespace {

TEST(Study, ReadsWhatWasWritten) {
  const std::string path = testing::TempDir() + "study.jsonl";
  write(small_study(), path);
  const Study study = read_study(path).value();
  EXPECT_EQ(study.lines.size(), small_study().lines.size());
  const StudyLine* line = study.find({"router", kBackbones[0], "examples", "", "recall", "front", 2});
  ASSERT_NE(line, nullptr);
  EXPECT_EQ(line->accuracy(), 1);
  EXPECT_EQ(line->sparse_share(), 0.875);
  EXPECT_NEAR(line->bits(), 0.5 / std::log(2.0), 1e-12);
  EXPECT_EQ(line->spread(), 0);
  EXPECT_EQ(study.find({"router", kBackbones[0], "examples", "", "recall", "front", 9}), nullptr);
}

TEST(Study, DropsAnIncompleteLastLineAndRefusesOthers) {
  const std::string path = testing::TempDir() + "study.jsonl";
  write(small_study(), path);
  std::ofstream(path, std::ios::app) << R"({"part": "rou)";
  EXPECT_EQ(read_study(path).value().lines.size(), small_study().lines.size());
  std::ofstream(path, std::ios::app) << "\n{}\n";
  const auto broken = read_study(path);
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().find("line"), std::string::npos);
  EXPECT_TRUE(read_study("/nowhere/at/all.jsonl").value().lines.empty());
}

TEST(Study, ListsOnlyTheCallsThatAreMissing) {
  StudyOptions options{.models = "/nowhere", .parts = {"router"}, .seeds = 2};
  const auto all = missing_calls({}, options);
  const auto left = missing_calls(small_study(), options);
  EXPECT_EQ(all.size() - left.size(), 2U);  // examples of two seeds
  const auto trains = std::ranges::count_if(all, [](const auto& call) { return call[1] == "recall"; });
  EXPECT_EQ(trains, 4 + 3 + 3) << "three models in stages, because there are none";
  for (const auto& call : all) EXPECT_EQ(call[0], "train");
  options.parts = {"text"};
  EXPECT_TRUE(has_part(options, "text"));
  EXPECT_FALSE(has_part(options, "router"));
}

}  // namespace
}  // namespace elastane::recall
