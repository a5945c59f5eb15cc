// lab/maze/training_networks.cpp: the networks that agents with a map are compared with.
#include "lab/maze/training_networks.h"

#include <gtest/gtest.h>

#include "lab/maze/demonstration.h"

namespace elastane::maze {
namespace {

TEST(TrainingNetworks, GatherWalksAndDescribeTheTask) {
  for (const std::string network : {"ssm", "transformer_map"}) {
    const lab::TrainingRounds rounds =
        network_rounds({.network = network, .size = "small", .rounds = 2, .walks = 64}, 1);
    EXPECT_EQ(rounds.count, 2);
    const train::Dataset walks = rounds.gather(0, nullptr);
    ASSERT_EQ(walks.size(), 64u);
    const int inputs = kInputs + (network == "ssm" ? 0 : kMapInputs);
    EXPECT_EQ(walks[0].x.size(1), inputs);
    const lab::TrainingTask task = rounds.task({walks});
    EXPECT_EQ(task.name, "maze_" + network);
    EXPECT_EQ(task.config.inputs, inputs);
    EXPECT_EQ(task.config.width, 32);
    EXPECT_EQ(task.learn.size() + task.held_out.size(), 64u);
  }
}

}  // namespace
}  // namespace elastane::maze
