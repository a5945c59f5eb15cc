// Tests of elastane/core/corrector/correction_cost.cpp: what a correction costs does not depend on when it is made (G12).
#include <gtest/gtest.h>

#include "tests/laws/workbench.h"

namespace elastane {
namespace {

constexpr int kD = 5, kM = 3;

// a latent that counts what is asked of it
class Counted final : public LatentModel {
 public:
  int latents() const override { return kD; }
  int outputs() const override { return kM; }
  LatentCost cost() const override {
    return {.read = 1, .jvp = 1'000, .vjp = 1'000'000, .second = 0, .roll = 0, .roll_jvp = 0, .solve = 0};
  }
  void linearise(std::span<const double> z, std::span<double> y) override { ++reads, plain.linearise(z, y); }
  void output(std::span<const double> z, std::span<double> y) override { ++reads, plain.output(z, y); }
  void jvp(ConstDoubleRows q, DoubleRows jq) override { jvps += q.count, plain.jvp(q, jq); }
  void vjp(ConstDoubleRows w, DoubleRows jtw) override { vjps += w.count, plain.vjp(w, jtw); }
  void second(std::span<const double> q, std::span<double> d2) override { plain.second(q, d2); }
  void roll_point(DoubleRows y) override { plain.roll_point(y); }
  void roll_tangent(std::span<const double> v, DoubleRows dy) override { plain.roll_tangent(v, dy); }
  void roll(std::span<const double> z, DoubleRows y) override { plain.roll(z, y); }

  TanhLatent plain{kD, 6, kM, 3, 1.0};
  std::int64_t reads = 0, jvps = 0, vjps = 0;
};

class CostOf : public testing::TestWithParam<Metric> {};

std::vector<Metric> all_metrics() {
  std::vector<Metric> all(std::begin(kPlainMetrics), std::end(kPlainMetrics));
  all.push_back(Metric::native);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Metric, CostOf, testing::ValuesIn(all_metrics()),
                         [](const auto& test) { return std::string(name(test.param)); });

TEST_P(CostOf, IsTheSameInEveryStepThatTakesOneTrial) {
  Random random(5);
  const RandomLearned learned(random, kD, 2);
  GaussianLatent native(kD, kM, 3);
  TanhLatent plain(kD, 6, kM, 3, 1.0);
  LatentModel& model = GetParam() == Metric::native ? static_cast<LatentModel&>(native) : plain;
  for (const int horizon : {1, 3}) {
    LoneCorrector lone({.metric = {.kind = GetParam(), .rank = 3}, .trust = {.trials = 1, .horizon = horizon}}, model,
                       learned.view);
    const std::int64_t bound = lone.corrector.micro_step_macs(model.cost());
    SquaredError objective(Vector(kM, 0.0));
    Vector z(kD);
    int steps = 0;
    for (int t = 0; t < 10'000 / horizon; ++t) {
      for (double& goal : objective.target) goal = random.uniform(-1, 1);
      for (double& value : z) value = random.uniform(-1.5, 1.5);
      const StepReport report = lone.correct(model, objective, z);
      if (report.trials == 0) continue;  // uphill for the rollout: it ended before its trial
      ASSERT_EQ(report.trials, 1);
      ASSERT_EQ(report.total_macs(), bound) << "step " << t << ", H " << horizon;
      ++steps;
    }
    EXPECT_GT(steps, 5'000 / horizon);
  }
}

TEST_P(CostOf, IsWithinItsBoundWhateverHappens) {
  Random random(5);
  const RandomLearned learned(random, kD, 2);
  GaussianLatent native(kD, kM, 3);
  TanhLatent plain(kD, 6, kM, 3, 6.0);
  LatentModel& model = GetParam() == Metric::native ? static_cast<LatentModel&>(native) : plain;
  for (const Retraction kind : {Retraction::first_order, Retraction::second_order, Retraction::christoffel}) {
    for (const int horizon : {1, 3}) {
      LoneCorrector lone({.metric = {.kind = GetParam(), .rank = 3},
                          .trust = {.radius = 2, .trials = 4, .horizon = horizon},
                          .retraction = {.kind = kind},
                          .gate = {.depth = 3}},
                         model, learned.view);
      const std::int64_t bound = lone.corrector.micro_step_macs(model.cost());
      SquaredError objective(Vector(kM, 0.0));
      int most = 0;
      for (int t = 0; t < 200; ++t) {
        objective.target = random_point(random, kM);
        Vector z = random_point(random, kD);
        const StepReport report = lone.correct(model, objective, z);
        ASSERT_LE(report.total_macs(), bound * report.depth) << name(report.stop);
        most = std::max(most, report.trials);
      }
      EXPECT_TRUE(most > 1 || GetParam() == Metric::native || GetParam() == Metric::kalman);
    }
  }
}

TEST_P(CostOf, CountsWhatIsReallyAskedOfTheDecoder) {
  // a correction's own arithmetic is small here; reads, pushes and pulls can be told apart by their price
  if (GetParam() == Metric::native) GTEST_SKIP() << "asks the latent itself";
  Random random(5);
  const RandomLearned learned(random, kD, 2);
  for (const Retraction kind : {Retraction::first_order, Retraction::second_order}) {
    Counted model;
    // products as there are outputs: conjugate gradients never end before their count
    LoneCorrector lone({.metric = {.kind = GetParam(), .rank = 3, .products = 2}, .retraction = {.kind = kind}}, model,
                       learned.view);
    SquaredError objective(Vector(kM, 0.0));
    for (int t = 0; t < 50; ++t) {
      objective.target = random_point(random, kM);
      Vector z = random_point(random, kD);
      model.reads = model.jvps = model.vjps = 0;
      const StepReport report = lone.correct(model, objective, z);
      if (GetParam() == Metric::fixed && t >= 16) break;  // frozen, it asks for less than it counts
      const std::int64_t counted = report.total_macs();
      EXPECT_EQ(counted / 1'000'000, model.vjps) << "step " << t;
      const std::int64_t asked = model.jvps * 1'000 + model.reads, rest = counted % 1'000'000 - asked;
      EXPECT_GE(rest, 0) << "step " << t;
      EXPECT_LT(rest, 4'000) << "the metric's own arithmetic, step " << t;
    }
  }
}

TEST(Cost, OfTheFirstPartIsWhatAnticipationTakesOver) {
  for (const Metric kind : kPlainMetrics) {
    for (const int horizon : {1, 3}) {
      Random random(5);
      const RandomLearned learned(random, kD, 2);
      TanhLatent model(kD, 6, kM, 3, 1.0);
      const SquaredError objective(random_point(random, kM));
      const CorrectorOptions options = {.metric = {.kind = kind, .rank = 3}, .trust = {.horizon = horizon}};
      LoneCorrector plain(options, model, learned.view), ahead(options, model, learned.view);
      Vector z = random_point(random, kD), same = z;
      const StepReport whole = plain.correct(model, objective, z);
      ahead.corrector.anticipate(model, same, ahead.memory.data());
      const StepReport rest = ahead.correct(model, objective, same);
      EXPECT_EQ(z, same) << name(kind);
      EXPECT_EQ(plain.memory, ahead.memory) << name(kind);
      EXPECT_EQ(whole.total_macs() - rest.total_macs(), plain.corrector.anticipated_macs(model.cost())) << name(kind);
    }
  }
}

}  // namespace
}  // namespace elastane
