// lab/maze/training_map.cpp: agents with a map, from examples to a file.
#include "lab/maze/training_map.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "lab/maze/agent_configs.h"

namespace elastane::maze {
namespace {

TEST(TrainingMap, ASweepOfPricesWritesAFileThatTheBenchmarkReads) {
  const std::string path = std::filesystem::temp_directory_path() / "elastane_maze_prices_test.safetensors";
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  train_map_prices({.size = 9, .walks = 4, .rounds = 1, .output = path}, {.prices = {0.02}, .seeds = 1});
  const std::string shown = testing::internal::GetCapturedStdout();
  testing::internal::GetCapturedStderr();
  const auto configs = load_priced_configs(path).value();
  std::filesystem::remove(path);
  ASSERT_EQ(configs.size(), 1u);
  EXPECT_EQ(configs[0].price, 0.02);
  EXPECT_TRUE(configs[0].config.head.present());
  EXPECT_NE(shown.find("validation mazes"), std::string::npos);
}

}  // namespace
}  // namespace elastane::maze
