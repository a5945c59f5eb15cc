// lab/maze/examples.cpp: training examples of heads and gates.
#include "lab/maze/examples.h"

#include <gtest/gtest.h>

#include "lab/maze/agent_configs.h"
#include "tests/paths.h"

namespace elastane::maze {
namespace {

AgentConfig esm() { return load_agent_configs(std::string(ELASTANE_MODELS) + "/maze.safetensors")->at("esm"); }

TEST(Examples, OfAHeadHaveEveryDepthAndSharesThatAddUpToOne) {
  HeadExamples examples, again;
  gather({.config = esm()}, 3, examples);
  gather({.config = esm()}, 3, again);
  ASSERT_GT(examples.size(), 0u);
  EXPECT_EQ(examples.features.size(), examples.size() * (kDepth + 1) * kLatticeMoves * kMoveFeatures);
  EXPECT_EQ(examples.weights.size(), examples.size() * (kDepth + 1));
  EXPECT_EQ(examples.features, again.features);
  for (std::size_t i = 0; i < examples.size(); ++i) {
    float shares = 0, weights = 0;
    for (std::size_t m = 0; m < kLatticeMoves; ++m) shares += examples.shares[i * kLatticeMoves + m];
    for (std::size_t k = 0; k <= kDepth; ++k) weights += examples.weights[i * (kDepth + 1) + k];
    EXPECT_NEAR(shares, 1, 1e-6);
    EXPECT_NEAR(weights, 1, 1e-6);
  }
}

TEST(Examples, OfAGateHaveALossForEveryDepth) {
  DepthExamples examples{.features = {}, .losses = {}, .costs = depth_costs({15, 15, Moves::four}, esm())};
  gather({.config = esm()}, 3, examples);
  ASSERT_GT(examples.size(), 0u);
  EXPECT_EQ(examples.losses.size(), examples.size() * (kDepth + 1));
}

TEST(Examples, DeeperStepsCostMore) {
  const std::vector<double> costs = depth_costs({15, 15, Moves::four}, esm());
  ASSERT_EQ(costs.size(), static_cast<std::size_t>(kDepth + 1));
  for (std::size_t k = 1; k < costs.size(); ++k) EXPECT_GT(costs[k], costs[k - 1]);
}

}  // namespace
}  // namespace elastane::maze
