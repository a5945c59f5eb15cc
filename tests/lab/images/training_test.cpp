// Tests of lab/images/training.cpp: its options, a short run, and data that are not there.
#include "lab/images/training.h"

#include <gtest/gtest.h>

#include "elastane/io/model_file.h"
#include "lab/benchmark/depth_rows.h"
#include "tests/lab/images/small_images.h"

namespace elastane::images {
namespace {

TEST(ImagesTask, TrainsWritesAModelAndRows) {
  const std::string folder = small_images("task"), journal = folder + "/rows.jsonl", model = folder + "/m.safetensors";
  command_line::Command train("train", "");
  lab::TrainingCommands commands(train, {"train", "images"}, "1", "abc");
  add_training(commands);
  std::vector<std::string> words = {"images", "--task",  "cifar10", "--data",    folder,  "--steps", "2",  "--batch",
                                    "4",      "--width", "8",       "--journal", journal, "-o",      model};
  EXPECT_EQ(command_line::parse(train, words).run(), 0);
  const auto rows = benchmark::read_depth_rows(journal).value();
  ASSERT_GT(rows.size(), 10U);
  EXPECT_EQ(rows[0].part, "images");
  EXPECT_EQ(rows[0].task, "cifar10");
  EXPECT_TRUE(read_model(model));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace elastane::images
