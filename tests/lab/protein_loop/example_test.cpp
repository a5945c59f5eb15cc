// lab/protein_loop/example.h
#include "lab/protein_loop/example.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lab/protein_loop/roster.h"

namespace elastane::protein_loop {
namespace {

WindowAgentOptions corrected(const GateOptions& gate) {
  WindowAgentOptions options;
  options.corrector = window_corrector();
  options.corrector->gate = gate;
  options.damping = window_damping();
  return options;
}

TEST(LoopExample, EqualSeedsMakeTheSame) {
  const ExampleOptions options{.residues = 60};
  const Example a = make_example(3, 0, nullptr, options), b = make_example(3, 0, nullptr, options),
                c = make_example(3, 1, nullptr, options);
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.target, b.target);
  EXPECT_NE(a.x, c.x);
  for (const float value : a.x) ASSERT_LE(std::fabs(value), 10.0F);
}

TEST(DepthExamples, HaveTheLossOfEveryDepthAndTheFeaturesOfTheGate) {
  WindowAgent agent(corrected({.kind = Gate::random, .depth = kMaxDepth}));
  const DepthExamples examples = gather_depth_examples(agent, kMaxDepth, 1, 1);
  EXPECT_EQ(examples.depths(), kMaxDepth + 1);
  EXPECT_EQ(examples.feature_count(), kOwnGateFeatures + LoopLatent::kGateFeatures);
  EXPECT_GT(examples.size(), 40U);
  EXPECT_EQ(examples.costs[0], 0);
  EXPECT_GT(examples.costs[8], examples.costs[1]);
}

TEST(LoopExample, AGatheredWindowIsDamagedAndKeepsItsEnergyAfterThePass) {
  CorrectorOptions corrector = window_corrector();
  corrector.gate = random_depths(kMaxDepth);
  WindowAgent agent({.corrector = corrector, .damping = window_damping()});
  const std::vector<DamagedWindow> a = gather_windows(agent, 5, 3), b = gather_windows(agent, 5, 3);
  ASSERT_GT(a.size(), 1U);
  ASSERT_EQ(a.size(), b.size());
  EnergyPoint point;
  for (std::size_t n = 0; n < a.size(); ++n) {
    const double energy = a[n].energy.evaluate(a[n].torsions, {}, point);
    EXPECT_GT(energy, 30);
    EXPECT_EQ(a[n].emphasis, emphasis_at(point.gap_length()));
    EXPECT_EQ(energy, b[n].energy.evaluate(b[n].torsions, {}, point));
    EXPECT_EQ(a[n].torsions, b[n].torsions);
  }
}

}  // namespace
}  // namespace elastane::protein_loop
