// Tests of elastane/core/gate/gatekeeper.cpp: what a gate looks at, and what it remembers.
#include <gtest/gtest.h>

#include "tests/laws/gated_run.h"

namespace elastane {
namespace {

TEST(Gatekeeper, LooksAtTheLossAtWhatItCameFromAndAtWhatTheModelAdds) {
  TanhLatent model(kD, 6, kM, 3, 1.0);
  model.added = {2.5, std::nan(""), 1e99};
  for (const GateInput sees : {GateInput::loss, GateInput::solve}) {
    LoneCorrector lone(with({.kind = Gate::random, .depth = 2, .sees = sees, .histogram = {0, 0, 1}}), model);
    Random random(4);
    double log_kappa = 0, log_gradient = 0, mean = 0;
    int before = 0;
    Vector last;
    for (int t = 0; t < 50; ++t) {
      const SquaredError objective(random_point(random, kM));
      Vector z = random_point(random, kD, 0.3);
      const Vector proposal = z;
      Vector y(kM);
      model.linearise(z, y);
      const StepReport report = lone.correct(model, objective, z);
      const auto f = lone.corrector.gate_features();
      ASSERT_EQ(f.size(), kOwnGateFeatures + model.added.size());
      const double log_loss = std::log(report.loss_before);
      EXPECT_DOUBLE_EQ(f[0], log_loss);
      if (sees == GateInput::loss) {
        EXPECT_DOUBLE_EQ(f[1], log_kappa);
        EXPECT_DOUBLE_EQ(f[2], log_gradient);
      }
      if (t == 0) {
        EXPECT_DOUBLE_EQ(f[4], log_loss);
        EXPECT_EQ(f[5], 0);
      } else {
        double moved = 0;
        for (int i = 0; i < kD; ++i) moved += (proposal[i] - last[i]) * (proposal[i] - last[i]);
        EXPECT_NEAR(f[3], 0.5 * std::log(moved / kD), 1e-12);
        EXPECT_NEAR(f[4], mean, 1e-12);
        EXPECT_EQ(std::signbit(f[5]), std::signbit(log_loss - mean));
      }
      EXPECT_EQ(f[6], before);
      EXPECT_EQ(f[7], 2.5);
      EXPECT_EQ(f[8], 0);    // no number
      EXPECT_EQ(f[9], 1e6);  // beyond it says no more
      for (const double value : f) EXPECT_TRUE(std::isfinite(value));

      mean += std::max(0.05, 1.0 / (t + 1)) * (log_loss - mean);
      log_kappa = std::log(report.kappa);
      before = report.depth;
      last = z;
      // the gradient's length where the last micro-step began is not in the report
      log_gradient = lone.memory[lone.memory.size() - double_stride(kD) - 3];
    }
  }
}

TEST(Gatekeeper, SeesTheSolveOfThisVeryStepWhereItWaitsForIt) {
  const GateOptions gate{.kind = Gate::random, .depth = 1, .sees = GateInput::solve, .histogram = {0, 1}};
  const Streamed all = run(with(gate), {});
  for (std::size_t t = 0; t < all.reports.size(); ++t) {
    if (all.reports[t].depth != 1) continue;
    EXPECT_DOUBLE_EQ(all.features[t][1], std::log(all.reports[t].kappa));
  }
}

TEST(Gatekeeper, ShowsNothingWhereItWasNotAsked) {
  TanhLatent model(kD, 6, kM, 3, 1.0);
  LoneCorrector lone(with({.kind = Gate::random, .depth = 2, .sees = GateInput::solve}), model);
  Vector z(kD, 0.1), y(kM);
  lone.correct(model, SquaredError(Vector(kM, 0.3)), z);
  EXPECT_FALSE(lone.corrector.gate_features().empty());
  model.output(z, y);
  EXPECT_EQ(lone.correct(model, SquaredError(y), z).stop, Stop::zero_gradient);
  EXPECT_TRUE(lone.corrector.gate_features().empty());
}

TEST(Gatekeeper, KeepsToFiniteNumbersWhateverItsMemoryHolds) {
  Random random(8);
  TanhLatent model(kD, 6, kM, 3, 1.0);
  LearnedGate gate = random_gate(2);
  gate.quantiles = {-1, 1};
  for (const GateOptions& options : {GateOptions{.kind = Gate::learned, .share = 0.5, .follow = true},
                                     GateOptions{.kind = Gate::random, .depth = 3}}) {
    for (int i = 0; i < 300; ++i) {
      LoneCorrector lone(with(options), model, {}, gate);
      const std::size_t kept = lone.corrector.memory_doubles() - 8 - double_stride(kD);
      for (std::size_t at = kept; at < lone.memory.size(); ++at) {
        lone.memory[at] = random.sign() * std::pow(10.0, random.uniform(-320, 308));
      }
      for (int t = 0; t < 5; ++t) {
        const SquaredError objective(random_point(random, kM));
        Vector z = random_point(random, kD);
        lone.correct(model, objective, z);
        EXPECT_TRUE(all_finite(lone.corrector.gate_features()));
        EXPECT_TRUE(all_finite(lone.memory));
      }
    }
  }
}

TEST(Gatekeeper, LearnsNothingFromAStepWithoutAnObservation) {
  TanhLatent model(kD, 6, kM, 3, 1.0);
  LoneCorrector lone(with({.kind = Gate::learned}), model, {}, random_gate(2));
  SquaredError objective(Vector(kM, 0.3));
  Vector z(kD, 0.1);
  lone.correct(model, objective, z);
  const Vector before = lone.memory;
  class Nothing final : public SquaredError {
   public:
    using SquaredError::SquaredError;
    bool empty() const override { return true; }
  } nothing(Vector(kM, 0.3));
  EXPECT_EQ(lone.correct(model, nothing, z).stop, Stop::nothing_observed);
  EXPECT_EQ(lone.memory, before);
}

}  // namespace
}  // namespace elastane
