// lab/training/router_journal.cpp: what tests of routers showed, line by line.
#include "lab/training/router_journal.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace elastane::lab {
namespace {

TEST(RouterJournal, HasALinePerCallThatCanBeReadBack) {
  const std::string path = testing::TempDir() + "router_journal.jsonl";
  std::filesystem::remove(path);
  const RouterLine line = {.part = "router",
                           .backbone = "small",
                           .method = "paper",
                           .setting = "",
                           .task = "recall",
                           .position = "front",
                           .seed = 3,
                           .command = "elastane train router",
                           .commit = "c",
                           .hits = at::tensor({std::int64_t{2}, std::int64_t{1}}),
                           .labels = at::tensor({std::int64_t{2}, std::int64_t{2}}),
                           .nats = at::tensor({0.12345678, 0.0}),
                           .full = at::tensor({1.0, 0.0, 0.0, 0.0}).view({2, 2})};
  append(path, line);
  append(path, line);
  append("", line);  // nowhere
  std::ifstream file(path);
  std::string text;
  int lines = 0;
  for (; std::getline(file, text); ++lines) {
    const auto json = nlohmann::json::parse(text);
    EXPECT_EQ(json["hits"], nlohmann::json({2, 1}));
    EXPECT_EQ(json["seed"], 3);
    EXPECT_NEAR(json["nats"][0].get<double>(), 0.1235, 1e-9);
    EXPECT_EQ(json["full"], nlohmann::json({0.5, 0.0}));   // per sequence
    EXPECT_EQ(json["heads"], nlohmann::json({0.5, 0.0}));  // per head
  }
  EXPECT_EQ(lines, 2);
  EXPECT_THROW(append("/nowhere/journal", line), std::exception);
}

}  // namespace
}  // namespace elastane::lab
