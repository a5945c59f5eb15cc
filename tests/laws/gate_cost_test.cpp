// Tests of elastane/core/corrector/correction_cost.cpp and correction_run_allocate.cpp: what a step behind a gate costs,
// at most and at least.
#include <gtest/gtest.h>

#include "tests/laws/gated_run.h"

namespace elastane {
namespace {

// says that only every third trial is any good, so that every micro-step uses all it may
class Reluctant final : public SquaredError {
 public:
  using SquaredError::SquaredError;
  double value(std::span<const double> y) const override {
    const double loss = SquaredError::value(y);
    if (calls++ == 0) return loss;  // of the proposal
    return calls % 3 == 1 ? loss : 1e6;
  }
  mutable int calls = 0;
};

TEST(GatedCost, OfAStepThatUsesAllItMayIsTheStatedBoundExactly) {
  TanhLatent model(kD, 6, kM, 3, 1.0);
  for (const GateInput sees : {GateInput::loss, GateInput::solve}) {
    for (const Metric metric : {Metric::euclidean, Metric::exact, Metric::sketch, Metric::conjugate_gradient}) {
      LearnedGate gate = random_gate(2, {.sees = sees});
      gate.network.score_bias.back() = 1e3;  // always K_max
      CorrectorOptions options = with({.kind = Gate::learned});
      options.metric.kind = metric;
      options.metric.products = 2;
      options.trust.low = 1e-6;
      LoneCorrector lone(options, model, {}, gate);
      const Reluctant objective(Vector{0.9, -0.7, 0.8});
      Vector z(kD, 0.1);
      const StepReport report = lone.correct(model, objective, z);
      EXPECT_EQ(report.granted, kDepths - 1);
      ASSERT_EQ(report.trials, 3 * (kDepths - 1)) << name(metric) << ' ' << name(report.stop);
      EXPECT_EQ(report.total_macs(), lone.corrector.most_macs(model.cost())) << name(metric);
      EXPECT_EQ(report.total_macs(),
                lone.corrector.gate_macs() + (kDepths - 1) * lone.corrector.micro_step_macs(model.cost()));
      EXPECT_EQ(report.macs[static_cast<int>(Stage::gate)], 6 * kOwnGateFeatures + 6 * kDepths + kD);
    }
  }
}

TEST(GatedCost, OfAStepThatGetsNothingIsItsReadAndTheGate) {
  TanhLatent model(kD, 6, kM, 3, 1.0);
  const SquaredError objective(Vector{0.9, -0.7, 0.8});
  for (const GateInput sees : {GateInput::loss, GateInput::solve}) {
    LearnedGate gate = random_gate(2, {.sees = sees});
    gate.network.score_bias.front() = 1e3;  // never
    LoneCorrector lone(with({.kind = Gate::learned}), model, {}, gate);
    Vector z(kD, 0.1);
    const Vector before = z;
    const StepReport report = lone.correct(model, objective, z);
    EXPECT_EQ(report.stop, Stop::gate);
    EXPECT_EQ(report.granted, 0);
    EXPECT_EQ(report.depth, 0);
    EXPECT_EQ(z, before);
    const std::int64_t look = report.total_macs() - model.cost().read - lone.corrector.gate_macs();
    const bool solves = sees == GateInput::solve;
    EXPECT_EQ(look > 0, solves);
    EXPECT_EQ(report.kappa > 0, solves);
    EXPECT_GE(look, solves ? model.cost().vjp : 0);
  }
}

TEST(GatedCost, NeverExceedsABudgetOfCountedWork) {
  for (const GateInput sees : {GateInput::loss, GateInput::solve}) {
    const LearnedGate gate = random_gate(4, {.sees = sees});
    const CorrectorOptions options = with({.kind = Gate::learned});
    TanhLatent model(kD, 6, kM, 3, 1.0);
    const LoneCorrector lone(options, model, {}, gate);
    const std::int64_t read = model.cost().read, most = lone.corrector.most_macs(model.cost());
    int cut = 0;
    for (std::int64_t limit = read; limit <= most + 100; limit += 37) {
      for (const StepReport& report : run(options, gate, 20, 3, Budget::macs(static_cast<double>(limit))).reports) {
        ASSERT_LE(report.total_macs(), limit);
        cut += report.cut ? 1 : 0;
      }
    }
    EXPECT_GT(cut, 0);
    for (const StepReport& report : run(options, gate, 50, 3, Budget::macs(static_cast<double>(most))).reports) {
      EXPECT_FALSE(report.cut);
    }
  }
}

}  // namespace
}  // namespace elastane
