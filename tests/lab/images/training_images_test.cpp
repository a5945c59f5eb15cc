// Tests of lab/images/training_images.cpp: a short training of every kind gives its rows, the same every time.
#include "lab/images/training_images.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/lab/images/small_images.h"

namespace elastane::images {
namespace {

const benchmark::DepthRow* find(const TrainedImages& trained, const std::string& method, int size) {
  const auto found = std::ranges::find_if(
      trained.rows, [&](const benchmark::DepthRow& row) { return row.method == method && row.size == size; });
  return found == trained.rows.end() ? nullptr : &*found;
}

class ImageTrainingTest : public testing::Test {
 protected:
  ImageTrainingTest() : folder_(small_images("training")), images_(read_images(Task::digits, folder_).value()) {}
  ~ImageTrainingTest() override { std::filesystem::remove_all(folder_); }
  TrainedImages run(const char* method, int steps = 3) const {
    return train_images({.method = find_method(method), .steps = steps, .batch = 8, .width = 8}, images_);
  }

  std::string folder_;
  Images images_;
};

TEST_F(ImageTrainingTest, GivesRowsOfEveryRule) {
  const TrainedImages trained = run("recursion");
  ASSERT_TRUE(trained.file);
  ASSERT_NE(find(trained, "recursion", 16), nullptr);
  for (const char* rule :
       {"uniform", "certificate", "relative_change", "margin", "confidence", "patience", "learned", "ranking"}) {
    const benchmark::DepthRow* row = find(trained, "recursion/" + std::string(rule), 98);
    ASSERT_NE(row, nullptr) << rule;
    EXPECT_LE(row->mean_depth, 16 + 1e-9);
    EXPECT_GE(row->mean_depth, 1 - 1e-9);
  }
  ASSERT_NE(find(trained, "recursion/proven", 100), nullptr);
  EXPECT_EQ(find(trained, "recursion/proven", 100)->violations, 0);
}

TEST_F(ImageTrainingTest, DeeperQuantilesAreDeeper) {
  const TrainedImages trained = run("literal_ranking");
  double before = 0;
  for (const int q : {125, 500, 875, 1000}) {
    const benchmark::DepthRow* row = find(trained, "literal_ranking/quantile", q);
    ASSERT_NE(row, nullptr) << q;
    EXPECT_GE(row->mean_depth, before - 1e-9);
    before = row->mean_depth;
  }
  EXPECT_NEAR(before, 16, 1e-9);
  const auto lambda = std::ranges::find_if(
      trained.rows, [](const benchmark::DepthRow& row) { return row.method == "literal_ranking/lambda"; });
  ASSERT_NE(lambda, trained.rows.end());
  EXPECT_NEAR(lambda->curve.front(), 0.5, 1e-6);
}

TEST_F(ImageTrainingTest, IsTheSameEveryTimeButForItsClock) {
  TrainedImages a = run("recursion_ponder"), b = run("recursion_ponder");
  ASSERT_EQ(a.rows.size(), b.rows.size());
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    a.rows[i].p50_us = b.rows[i].p50_us = 0;
    EXPECT_EQ(to_json(a.rows[i]).dump(), to_json(b.rows[i]).dump());
  }
}

TEST_F(ImageTrainingTest, OneDepthHasNoRules) { EXPECT_EQ(run("depth_1").rows.size(), 1U); }

}  // namespace
}  // namespace elastane::images
