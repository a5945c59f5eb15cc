// lab/recall/study_tables.cpp: tables and rows of a study, with the paired test against static heads.
#include "lab/recall/study_tables.h"

#include <gtest/gtest.h>

#include "tests/lab/recall/study_lines.h"

namespace elastane::recall {
namespace {

TEST(StudyTables, TestTheRouterAgainstAsManyStaticHeads) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  const std::string text = router_tables(small_study(), {}, rows);
  EXPECT_NE(text.find("examples_stream"), std::string::npos);
  int checked = 0;
  for (const auto& row : rows) {
    for (const char* key : {"part", "backbone", "task", "method", "seed", "position", "accuracy", "dense_accuracy",
                            "sparse_share", "static_accuracy", "p_value"}) {
      EXPECT_TRUE(row.contains(key)) << key;
    }
    EXPECT_EQ(row.size(), 11U);
    if (row["method"] != "examples" || row["task"] != "needle") continue;
    EXPECT_EQ(row["dense_accuracy"], 1.0);
    EXPECT_NEAR(row["static_accuracy"].get<double>(), 1.0 / 3, 1e-4);
    EXPECT_LT(row["p_value"].get<double>(), 0.01);
    ++checked;
  }
  EXPECT_EQ(checked, 2 * kPositions);
}

TEST(StudyTables, CanBeMadeOfAnEmptyStudy) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  const Study none;
  EXPECT_EQ(router_tables(none, {}, rows), "");
  EXPECT_EQ(heat_maps(none, {}), "");
  for (const std::string& text : {position_table(none, {}, rows), temperature_table(none, {}, rows),
                                  text_table(none, rows), hybrid_table(none, {}, rows)}) {
    EXPECT_NE(text.find("##"), std::string::npos);
  }
  EXPECT_TRUE(rows.empty());
}

TEST(StudyTables, ShowWhichHeadsAreFull) {
  const std::string text = heat_maps(small_study(), {});
  EXPECT_NE(text.find("0.12"), std::string::npos);
}

}  // namespace
}  // namespace elastane::recall
