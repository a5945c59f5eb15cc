// Tests of lab/benchmark/depth_rows.cpp: rows as JSON, journals, rank correlation.
#include "lab/benchmark/depth_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>

namespace elastane::benchmark {
namespace {

DepthRow row() {
  return {.part = "mazes",
          .task = "grid",
          .method = "free",
          .size = 16,
          .seed = 3,
          .solved = 0.5,
          .mean_depth = 12,
          .curve = {0.25, 1}};
}

TEST(DepthRows, SurvivesItsJournal) {
  const std::string path = testing::TempDir() + "frost_rows.jsonl";
  std::remove(path.c_str());
  EXPECT_TRUE(read_depth_rows(path)->empty());
  append(path, row());
  append(path, row());
  std::ofstream(path, std::ios::app) << "{\"part\":\"ma";  // a crash
  const auto rows = read_depth_rows(path).value();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0], row());
  std::ofstream(path, std::ios::app) << "\n";
  EXPECT_NE(read_depth_rows(path).error().find("line 3"), std::string::npos);
  std::remove(path.c_str());
}

TEST(DepthRows, HasEveryKeyAndNullWhereNothingWasMeasured) {
  const auto json = to_json(row());
  for (const char* key : {"part", "task", "method", "size", "seed", "solved", "accuracy", "accuracy_at_3t",
                          "mean_depth", "oracle_depth", "spearman", "violations", "cases", "madds", "p50_us"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_TRUE(json["violations"].is_null());
  EXPECT_EQ(json["solved"], 0.5);
}

TEST(Spearman, IsThatOfRanksWithTies) {
  EXPECT_NEAR(spearman({1, 2, 3, 4}, {1, 4, 9, 100}), 1, 1e-12);
  EXPECT_NEAR(spearman({1, 2, 3}, {3, 2, 1}), -1, 1e-12);
  EXPECT_NEAR(spearman({1, 1, 2, 3}, {1, 2, 3, 4}), 0.9486832980505138, 1e-12);
  EXPECT_TRUE(std::isnan(spearman({1, 1}, {1, 2})));
}

}  // namespace
}  // namespace elastane::benchmark
