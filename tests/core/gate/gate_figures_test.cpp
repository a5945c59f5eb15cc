// Tests of elastane/core/gate/gate_figures.h.
#include "elastane/core/gate/gate_figures.h"

#include <gtest/gtest.h>

#include <array>

#include "tests/core/gates.h"

namespace elastane {
namespace {

TEST(GateFigures, AreThoseOfTheDepthsThatTheGateChooses) {
  const LearnedGate gate = random_gate(1);
  DepthExamples examples{.features = {}, .losses = {}, .costs = {0, 1, 2, 3}};
  Random random(2);
  double loss = 0, depths = 0;
  constexpr int kCount = 50;
  for (int i = 0; i < kCount; ++i) {
    std::array<double, kOwnGateFeatures> features;
    for (double& f : features) f = random.normal();
    const std::array<double, 4> losses = {4.0 + i, 3.0, 2.0, 1.0};
    examples.add(features, losses);
    std::array<double, 6> hidden;
    std::array<double, 4> scores;
    gate.score(features.data(), hidden.data(), scores.data());
    const int depth = gate.depth(scores.data(), gate.threshold());
    loss += losses[static_cast<std::size_t>(depth)] / kCount;
    depths += static_cast<double>(depth) / kCount;
  }
  const DepthFigures figures = judge(gate, examples);
  EXPECT_NEAR(figures.loss, loss, 1e-12);
  EXPECT_NEAR(figures.depth, depths, 1e-12);
  EXPECT_NEAR(figures.cost, depths, 1e-12);
}

}  // namespace
}  // namespace elastane
