// lab/training/router.cpp: trains a router on a world's sequences, tests it, and writes what it found.
#include "lab/training/router.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "elastane/io/model_file.h"
#include "tests/train/routed_models.h"

namespace elastane::lab {
namespace {

train::RouterData draw(std::uint64_t seed, int count, int length, const std::string&) {
  return train::random_data(2 * count, length, seed);
}

int lines_of(const std::string& path) {
  std::ifstream file(path);
  int lines = 0;
  for (std::string text; std::getline(file, text);) ++lines;
  return lines;
}

TEST(Router, JournalsEveryMethodTaskAndPosition) {
  const std::string model = testing::TempDir() + "routed.safetensors", journal = testing::TempDir() + "routed.jsonl";
  const ModelConfig config = train::attention_config();
  save_model(model, config, random_tensors(config, 1)).value();
  const RouterWorld world = {.name = "test",
                             .tasks = {"even", "odd"},
                             .positions = {"front", "end"},
                             .targets = {1.0, 0.7},
                             .mask = train::kSmallMask,
                             .length = 32,
                             .sequences = 4,
                             .tests = 3,
                             .draw = draw};
  RouterOptions options;
  options.model = model, options.journal = journal, options.threads = 1, options.training.steps = 3;
  std::filesystem::remove(journal);
  EXPECT_EQ(run_router(options, world, {}), 0);
  EXPECT_EQ(lines_of(journal), 3 * 2 * 2);  // dense, once, by block
  std::filesystem::remove(journal);
  options.method = "static", options.exhaustive = 4;  // of four heads
  EXPECT_EQ(run_router(options, world, {}), 0);
  EXPECT_GE(lines_of(journal), 5 * 2 * 2);  // a best subset of 0 to 4 heads, and those of single tasks
  options.model = "/nowhere.safetensors";
  EXPECT_THROW(run_router(options, world, {}), std::exception);
}

}  // namespace
}  // namespace elastane::lab
