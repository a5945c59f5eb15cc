// Tests of lab/frost/study.cpp: what is still to be trained, which rows count, and the tables.
#include "lab/frost/study.h"

#include <gtest/gtest.h>

namespace elastane::frost {
namespace {

benchmark::DepthRow maze(const std::string& method, int size, std::uint64_t seed, double solved) {
  return {.part = "mazes",
          .task = "grid",
          .method = method,
          .size = size,
          .seed = seed,
          .solved = solved,
          .accuracy = 1,
          .accuracy_at_3t = 1,
          .mean_depth = 9,
          .oracle_depth = 8,
          .spearman = 1,
          .violations = 0,
          .macs = 5,
          .p50_us = 3};
}

TEST(Study, TrainsWhatTheJournalLacks) {
  StudyOptions options{.parts = {"mazes", "parity"}, .seeds = 3, .rival_seeds = 1};
  EXPECT_EQ(missing_calls({}, options).size(), 3U + 3 + 4 + 3 + 3 + 1);
  EXPECT_EQ(missing_calls({maze("free", 8, 22, 1)}, options).size(), 3U + 3 + 4 + 3 + 3 + 1 - 1);
  options.parts = {"lambda"};
  EXPECT_EQ(missing_calls({}, options).size(), 4U);
  options.parts = {"images"};
  options.seeds = 2;
  EXPECT_EQ(missing_calls({}, options).size(), 2U * 4 + 8);
  EXPECT_EQ(missing_calls({}, options)[0][1], "images");
  options.parts = {"speed"};
  EXPECT_TRUE(missing_calls({}, options).empty());
}

TEST(Study, KeepsTheNewestRowOfEachKind) {
  const StudyOptions options{.parts = {"mazes"}};
  const auto rows = study_rows({maze("free", 8, 1, 0.2), maze("free", 8, 1, 0.4), maze("recursion", 8, 1, 1)}, options);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].solved, 0.4);
}

TEST(Study, ShowsEverySeedInItsTable) {
  const StudyOptions options{.parts = {"mazes"}};
  const std::string text = tables({maze("recursion", 16, 1, 1), maze("recursion", 16, 2, 0.5)}, options);
  EXPECT_NE(text.find("| recursion | 16 | 0.750"), std::string::npos) << text;
  EXPECT_NE(text.find("1.000 0.500"), std::string::npos);
}

TEST(Study, MeasuresCertificatesOnTheSpot) {
  const auto rows = study_rows({}, {.parts = {"certificates"}, .cases = 200});
  ASSERT_EQ(rows.size(), 5U);
  for (const benchmark::DepthRow& row : rows) EXPECT_EQ(row.violations, 0);
}

}  // namespace
}  // namespace elastane::frost
