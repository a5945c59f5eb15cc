// lab/recall/memory_study.cpp: which rows each part gives, and which trainings are missing.
#include "lab/recall/memory_study.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lab/recall/memory_cost.h"

namespace elastane::recall {
namespace {

TEST(MemoryStudy, PartsAreAllOrThoseThatWereAskedFor) {
  EXPECT_TRUE(MemoryStudyOptions{}.has("mqar"));
  EXPECT_FALSE(MemoryStudyOptions{.parts = {"cost"}}.has("mqar"));
}

TEST(MemoryStudy, WhatTheJournalLacksIsTrained) {
  const MemoryStudyOptions options{.parts = {"rebind"}, .seeds = 2};
  const auto all = missing_trainings({}, options);
  EXPECT_FALSE(all.empty());
  for (const auto& call : all) {
    EXPECT_EQ(call[1], "associations");
    EXPECT_EQ(call[3], "rebind");
  }
  const std::vector<RecallRow> journal = {{.part = "rebind", .model = "delta32", .seed = 1}};
  EXPECT_EQ(missing_trainings(journal, options).size(), all.size() - 1);
  EXPECT_EQ(trained_rows("rebind", journal).size(), 1u);
  EXPECT_TRUE(trained_rows("copy", journal).empty());
}

TEST(MemoryStudy, RowsOfATextAreKnownByTheirStack) {
  const MemoryStudyOptions options{.parts = {"language"}};
  const auto all = missing_trainings({}, options);
  EXPECT_EQ(all[0][1], "text");
  const std::vector<RecallRow> journal = {{.part = "language", .model = "ssm, equal compute (80 thousand", .seed = 1}};
  EXPECT_EQ(missing_trainings(journal, options).size(), all.size() - 1);
}

TEST(MemoryStudy, SixtyFourPairsOf512SymbolsAreAskedOfTenModels) {
  const MemoryStudyOptions options{.parts = {"mqar"}, .seeds = 1};
  const auto all = missing_trainings({}, options);
  EXPECT_GE(std::ranges::count_if(all, [](const auto& call) { return std::ranges::count(call, "512") > 0; }), 10);
}

TEST(MemoryStudy, MoreChannelsPerKeyRecallMore) {
  double few = 0, many = 0;
  for (const RecallRow& row : size_rows({.seeds = 1})) {
    EXPECT_TRUE(row.p50_us && *row.p50_us > 0);
    if (row.model == "delta 1 x (16, 32)" && row.pairs == 32) few = *row.accuracy;
    if (row.model == "delta 1 x (128, 32)" && row.pairs == 32) many = *row.accuracy;
  }
  EXPECT_LT(few, many);
}

TEST(MemoryStudy, CopiersKeepToTheirBounds) {
  for (const RecallRow& row : copy_exact_rows({.seeds = 1})) {
    const bool is_register = row.model.starts_with("register");
    EXPECT_GE(*row.accuracy, *row.accuracy_changed - (is_register ? 0.02 : 0.0)) << row.model;
    EXPECT_TRUE(!is_register || *row.accuracy <= *row.accuracy_changed + 0.02) << row.model;
  }
}

TEST(MemoryCost, AMemoryHasTheSameBytesAtAnyContextAndAttentionHasNot) {
  const auto points = time_memory("delta", {.keys = 16, .values = 16}, {1024, 2048});
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].bytes, points[1].bytes);
  EXPECT_GT(points[0].p50_us, 0);
  EXPECT_EQ(time_attention(16, 2048).bytes, 2 * time_attention(16, 1024).bytes);
}

}  // namespace
}  // namespace elastane::recall
