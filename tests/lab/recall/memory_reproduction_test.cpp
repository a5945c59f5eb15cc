// lab/recall/memory_reproduction.cpp: the options of `elastane reproduce recall`, and what it writes.
#include "lab/recall/memory_reproduction.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "lab/recall/recall_rows.h"

namespace elastane::recall {
namespace {

TEST(MemoryReproduction, WritesRowsTablesAndAPage) {
  const std::string folder = testing::TempDir(), journal = folder + "recall.jsonl";
  std::filesystem::remove(journal);
  append_row(journal,
             {.part = "mqar", .model = "ssm_delta32", .seed = 1, .length = 128, .pairs = 32, .accuracy = 0.99});
  const lab::Reproduction entry = recall_reproduction();
  command_line::Command reproduce("recall", "");
  entry.declare(reproduce);
  const std::vector<std::string> arguments = {"--journal",
                                              journal,
                                              "--parts",
                                              "mqar",
                                              "copy_exact",
                                              "--json",
                                              folder + "recall.json",
                                              "--page",
                                              folder + "recall.html",
                                              "--markdown",
                                              folder + "recall.md"};
  EXPECT_EQ(command_line::parse(reproduce, arguments).run(), 0);
  std::ifstream file(folder + "recall.json");
  EXPECT_GT(nlohmann::json::parse(file).size(), 10u);
  EXPECT_GT(std::filesystem::file_size(folder + "recall.html"), 1000u);
  EXPECT_GT(std::filesystem::file_size(folder + "recall.md"), 100u);
  EXPECT_FALSE(entry.training().empty());
}

}  // namespace
}  // namespace elastane::recall
