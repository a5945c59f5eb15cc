// lab/recall/memory_tables.cpp: rows as tables and as a page.
#include "lab/recall/memory_tables.h"

#include <gtest/gtest.h>

namespace elastane::recall {
namespace {

std::vector<RecallRow> some_rows() {
  std::vector<RecallRow> rows;
  for (const std::uint64_t seed : {1, 2, 3}) {
    rows.push_back({.part = "gates",
                    .model = "delta",
                    .seed = seed,
                    .pairs = 32,
                    .accuracy = 0.9 + 0.01 * static_cast<double>(seed),
                    .write_share = 0.1});
  }
  rows.push_back({.part = "cost", .model = "attention", .length = 1024, .state_bytes = 100, .p50_us = 5});
  return rows;
}

TEST(MemoryTables, SeedsOfOneModelAreOneLine) {
  const std::string text = table_of("gates", {});
  EXPECT_NE(text.find("No rows yet"), std::string::npos);
  const std::vector<RecallRow> rows = some_rows();
  const std::string table = table_of("gates", {rows.begin(), rows.begin() + 3});
  EXPECT_NE(table.find("| delta | 3 | 32 | 0.92 ("), std::string::npos) << table;
  EXPECT_NE(table.find("seeds 0.91 to 0.93"), std::string::npos) << table;
  EXPECT_EQ(table.find("p50"), std::string::npos) << "a column that nothing fills is left out";
}

TEST(MemoryTables, ThePageShowsWhatIsWrittenAndWhy) {
  const std::string html = recall_page(some_rows());
  for (const char* text : {"What is written, when and why", "surprise", "recurring keys", "µs per token"}) {
    EXPECT_NE(html.find(text), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace elastane::recall
