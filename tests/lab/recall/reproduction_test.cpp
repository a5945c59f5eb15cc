// lab/recall/reproduction.cpp: the options of `elastane reproduce elastic_attention`, and what it writes.
#include "lab/recall/reproduction.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/lab/recall/study_lines.h"

namespace elastane::recall {
namespace {

TEST(Reproduction, WritesRowsAndTablesOfAJournal) {
  const std::string folder = testing::TempDir(), journal = folder + "elastic.jsonl", json = folder + "elastic.json";
  write(small_study(), journal);
  const lab::Reproduction entry = elastic_attention_reproduction();
  command_line::Command reproduce("elastic_attention", "");
  entry.declare(reproduce);
  std::filesystem::remove(json);
  const std::vector<std::string> arguments = {"--journal", journal, "--parts", "router", "--json", json};
  EXPECT_EQ(command_line::parse(reproduce, arguments).run(), 0);
  EXPECT_TRUE(std::filesystem::exists(json));
  EXPECT_FALSE(entry.training().empty());
}

}  // namespace
}  // namespace elastane::recall
