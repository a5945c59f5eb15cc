// lab/maze/demonstration.cpp: labelled walks.
#include "lab/maze/demonstration.h"

#include <gtest/gtest.h>

#include <cmath>

namespace elastane::maze {
namespace {

Model untrained(int inputs) {
  ModelConfig config{.inputs = inputs, .outputs = kOutputs, .width = 16};
  config.blocks = {BlockConfig{.kind = SelectiveConfig{}}};
  return Model::create(config, random_tensors(config, 1)).value();
}

TEST(Demonstration, EveryRowSaysWhatTheExpertWouldDo) {
  const Demonstration shown = demonstrate({}, 3);
  const std::size_t steps = shown.x.size() / kInputs;
  ASSERT_EQ(shown.x.size(), steps * kInputs);
  ASSERT_EQ(shown.target.size(), steps * kOutputs);
  for (std::size_t t = 0; t < steps; ++t) {
    float sum = 0;
    for (std::size_t move = 0; move < kOutputs; ++move) sum += shown.target[t * kOutputs + move];
    EXPECT_NEAR(sum, 1, 1e-6);
  }
}

TEST(Demonstration, AWalkEndsOneStepBeforeTheGoal) {
  int arrived = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Demonstration shown = demonstrate({.stray = 0}, seed);
    const float* goal = shown.x.data() + shown.x.size() - kInputs + kViewCells + kPositionInputs;
    arrived += std::lround(kPositionUnit * (std::abs(goal[0]) + std::abs(goal[1]))) == 1 ? 1 : 0;
  }
  EXPECT_GE(arrived, 18);
}

TEST(Demonstration, DependsOnOptionsAndSeedAlone) {
  const Model driver = untrained(kInputs);
  const DemonstrationOptions how{.driver = &driver};
  EXPECT_EQ(demonstrate(how, 5).x, demonstrate(how, 5).x);
  EXPECT_NE(demonstrate(how, 5).x, demonstrate(how, 6).x);
}

TEST(Demonstration, AMapIsAddedToTheInputs) {
  const Demonstration plain = demonstrate({}, 4), with_map = demonstrate({.map = true}, 4);
  const std::size_t width = kInputs + kMapInputs;
  ASSERT_EQ(with_map.x.size() / width, plain.x.size() / kInputs);
  EXPECT_EQ(with_map.target, plain.target);
  for (std::size_t t = 0; t < plain.x.size() / kInputs; ++t) {
    for (std::size_t i = 0; i < kInputs; ++i) ASSERT_EQ(with_map.x[t * width + i], plain.x[t * kInputs + i]);
  }
}

}  // namespace
}  // namespace elastane::maze
