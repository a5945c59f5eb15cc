// lab/training/rounds.cpp: rows of tensors, and what each round holds out.
#include "lab/training/rounds.h"

#include <gtest/gtest.h>

namespace elastane::lab {
namespace {

train::Series series(int length, float value) { return {at::full({length, 2}, value), at::zeros({length, 1}), {}}; }

TEST(Rows, AreFilledRowByRow) {
  const at::Tensor found = rows({1, 2, 3, 4, 5, 6}, 3);
  EXPECT_EQ(found.sizes(), (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(found[1][0].item<float>(), 4);
}

TEST(Split, HoldsOutTheLastOfEveryThirtyTwo) {
  std::vector<train::Dataset> rounds(2);
  for (int i = 0; i < 64; ++i) rounds[0].push_back(series(4, static_cast<float>(i)));
  for (int i = 0; i < 32; ++i) rounds[1].push_back(series(4, static_cast<float>(100 + i)));
  TrainingTask task;
  split(rounds, task);
  EXPECT_EQ(task.learn.size(), 62U + 31U);
  ASSERT_EQ(task.held_out.size(), 3U);
  EXPECT_EQ(task.held_out[0].x[0][0].item<float>(), 62);
  EXPECT_EQ(task.held_out[2].x[0][0].item<float>(), 131);
}

TEST(Split, SortsTheHeldOutSeriesByLength) {
  std::vector<train::Dataset> rounds(1);
  for (int i = 0; i < 96; ++i) rounds[0].push_back(series(200 - i, 0));
  TrainingTask task;
  split(rounds, task);
  for (std::size_t i = 1; i < task.held_out.size(); ++i) {
    EXPECT_LE(task.held_out[i - 1].length(), task.held_out[i].length());
  }
}

}  // namespace
}  // namespace elastane::lab
