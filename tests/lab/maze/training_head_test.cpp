// lab/maze/training_head.cpp: a head that imitates the expert.
#include "lab/maze/training_head.h"

#include <gtest/gtest.h>

#include "lab/maze/agent_configs.h"

namespace elastane::maze {
namespace {

TEST(TrainingHead, LearnsTheMovesOfTheExpertAndTheSameTwice) {
  HeadExamples examples;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    gather({.lattice = {.size = 9}, .config = untrained_config("uniform_4")}, seed, examples);
  }
  const TrainedHead few = train_head({}, examples, {.steps = 100, .batch = 64});
  const TrainedHead many = train_head({}, examples, {.steps = 400, .batch = 64});
  const TrainedHead again = train_head({}, examples, {.steps = 100, .batch = 64});
  EXPECT_LT(many.loss, few.loss);
  EXPECT_LT(many.loss, 0.5);
  EXPECT_EQ(few.head.score, again.head.score);
}

}  // namespace
}  // namespace elastane::maze
