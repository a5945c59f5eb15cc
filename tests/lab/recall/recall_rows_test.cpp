// lab/recall/recall_rows.cpp: rows as JSON, and a journal of them.
#include "lab/recall/recall_rows.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace elastane::recall {
namespace {

TEST(RecallRows, HaveEveryFieldUnderItsName) {
  const nlohmann::ordered_json json =
      to_json({.part = "mqar", .model = "m", .seed = 3, .length = 128, .accuracy = 0.5});
  std::vector<std::string> names;
  for (const auto& [name, value] : json.items()) names.push_back(name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"part", "model", "seed", "length", "pairs", "accuracy", "accuracy_changed",
                                      "state_bytes", "write_share", "p50_us", "bits_per_byte", "train_seconds"}));
  EXPECT_EQ(json["length"], 128);
  EXPECT_TRUE(json["pairs"].is_null());
  EXPECT_EQ(to_json(row_of(json)), json);
}

TEST(RecallRows, AJournalKeepsThemAndDropsAnUnfinishedLine) {
  const std::string path = testing::TempDir() + "rows.jsonl";
  std::filesystem::remove(path);
  EXPECT_TRUE(read_rows(path).value().empty());
  append_row(path, {.part = "copy", .model = "a", .seed = 1});
  append_row(path, {.part = "copy", .model = "b", .seed = 2});
  std::ofstream(path, std::ios::app) << "{\"part\": \"co";
  ASSERT_EQ(read_rows(path).value().size(), 2u);
  EXPECT_EQ(read_rows(path).value()[1].model, "b");
  std::ofstream(path, std::ios::app) << "\n";
  EXPECT_FALSE(read_rows(path));
}

}  // namespace
}  // namespace elastane::recall
