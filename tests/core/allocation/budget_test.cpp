// Tests of elastane/core/allocation/budget.h: what a budget leaves is a prefix of what there would have been without one.
#include "elastane/core/allocation/budget.h"

#include <gtest/gtest.h>

#include "elastane/core/base/clock.h"
#include "tests/core/corrected.h"

namespace elastane {
namespace {

constexpr int kDepth = 3;

Model small_model() {
  ModelConfig config{.inputs = 1, .outputs = 2, .width = 4};
  config.blocks = {{.kind = SelectiveConfig{}}};
  config.head.hidden = {4};
  return model_of(config);
}

// streams that differ in their depth alone, so that one can continue another's snapshot
class Budgeted : public testing::Test {
 protected:
  static StreamOptions options_of(Metric metric, int depth, int horizon = 1) {
    StreamOptions options = with_metric(metric);
    options.corrector->gate.depth = depth;
    options.corrector->trust.horizon = horizon;
    return options;
  }
  std::vector<Stream> unlimited(Metric metric, int horizon = 1) const {
    std::vector<Stream> streams;
    for (int depth = 0; depth <= kDepth; ++depth) streams.emplace_back(model, options_of(metric, depth, horizon));
    return streams;
  }
  std::vector<float> label_of(Random& random) const {
    return {static_cast<float>(random.normal()), static_cast<float>(random.normal())};
  }

  const Model model = small_model();
};

// law of counted budgets, step after step; returns how many were cut
int live_on_a_counted_budget(Stream& limited, std::vector<Stream>& unlimited, int steps) {
  Random random(5);
  const auto cost = static_cast<double>(limited.micro_step_macs());
  std::vector<std::byte> bytes(limited.snapshot_bytes());
  std::vector<float> x(1), label(2);
  int cut = 0;
  for (int t = 0; t < steps; ++t) {
    x[0] = static_cast<float>(random.normal());
    for (float& value : label) value = static_cast<float>(random.normal());
    const Gaussian objective({.values = label, .noise = 0.3, .lasts = true});
    const double limit = cost * random.uniform(0, kDepth + 0.5);
    limited.advance(x);
    limited.snapshot(bytes).value();
    const StepReport report = limited.correct(objective, Budget::macs(limit));
    cut += report.stop == Stop::budget ? 1 : 0;
    // whole micro-steps, and no more than was allowed but for the first look at the loss
    Stream& prefix = unlimited[static_cast<std::size_t>(report.depth)];
    prefix.restore(bytes).value();
    const StepReport whole = prefix.correct(objective);
    EXPECT_TRUE(same_stream(limited, prefix)) << t;
    EXPECT_EQ(report.loss_after, whole.loss_after) << t;
    EXPECT_EQ(report.cut, report.stop == Stop::budget) << t;
    EXPECT_LE(report.depth, kDepth);
    if (report.depth > 0) {
      EXPECT_LE(static_cast<double>(report.total_macs()), limit) << t;
    }
    if (testing::Test::HasFailure()) break;
  }
  return cut;
}

TEST_F(Budgeted, AHundredThousandCountedStepsAreEachAPrefix) {
  std::vector<Stream> prefixes = unlimited(Metric::exact);
  Stream limited(model, options_of(Metric::exact, kDepth));
  EXPECT_GT(live_on_a_counted_budget(limited, prefixes, 100'000), 10'000);
  EXPECT_EQ(limited.overruns(), 0U);
}

TEST_F(Budgeted, CountedStepsAreAPrefixWhateverTheMetric) {
  for (const Metric metric : kStreamMetrics) {
    for (const int horizon : {1, 3}) {
      SCOPED_TRACE(name(metric));
      std::vector<Stream> prefixes = unlimited(metric, horizon);
      Stream limited(model, options_of(metric, kDepth, horizon));
      EXPECT_GT(live_on_a_counted_budget(limited, prefixes, 300), 30);
    }
  }
}

TEST_F(Budgeted, NoRetractionTakesMoreThanWasCountedForIt) {
  for (const Metric metric : kStreamMetrics) {
    for (const Retraction retraction : {Retraction::second_order, Retraction::christoffel}) {
      StreamOptions options = options_of(metric, kDepth);
      options.corrector->retraction.kind = retraction;
      Stream stream(model, options);
      const auto limit = 2.0 * static_cast<double>(stream.micro_step_macs());
      for (int t = 0; t < 50; ++t) {
        const Given given(model, t);
        const StepReport report = stream.step(given.x, given.gaussian(), Budget::macs(limit));
        EXPECT_LE(static_cast<double>(report.total_macs()) - static_cast<double>(model.macs()), limit) << name(metric);
      }
    }
  }
}

TEST_F(Budgeted, AMicroStepIsAffordedByWhatIsSaidOfItAndByNoLess) {
  for (const PersistentLayout& coordinates :
       {PersistentLayout{}, PersistentLayout{.output_bias = true, .input_gain = true}}) {
    for (const Metric metric : kStreamMetrics) {
      StreamOptions options = options_of(metric, 1);
      options.latent.persistent.coordinates = coordinates;
      Stream enough(model, options), less = enough;
      const auto cost = static_cast<double>(enough.micro_step_macs());
      EXPECT_EQ(live(enough, 0, Budget::macs(cost)).depth, 1) << name(metric);
      EXPECT_EQ(live(less, 0, Budget::macs(cost - 1)).depth, 0) << name(metric);
    }
  }
}

TEST_F(Budgeted, WithoutABudgetNothingIsCut) {
  Stream none(model, options_of(Metric::exact, kDepth)), endless = none;
  for (int t = 0; t < 50; ++t) {
    const StepReport a = live(none, t), b = live(endless, t, Budget::micros(HUGE_VAL));
    EXPECT_FALSE(a.cut || b.cut);
    EXPECT_TRUE(same_stream(none, endless));
  }
  EXPECT_EQ(endless.overruns(), 0U);
}

TEST_F(Budgeted, NoTimeIsEnoughForNothing) {
  for (const Metric metric : kStreamMetrics) {
    Stream stream(model, options_of(metric, kDepth)), frozen(model);
    std::uint64_t overruns = 0;
    for (int t = 0; t < 50; ++t) {
      const Given given(model, t);
      frozen.advance(given.x);
      stream.advance(given.x);
      if (t % 2 == 0) stream.anticipate();
      const double micros = t % 3 == 0 ? 0.0 : t % 3 == 1 ? -5.0 : std::nan("");
      const StepReport report = stream.correct(given.gaussian(), Budget::micros(micros));
      EXPECT_EQ(report.stop, Stop::budget);
      EXPECT_TRUE(report.cut);
      EXPECT_EQ(report.depth, 0);
      ASSERT_TRUE(same_bytes(network_part(stream), frozen.state())) << name(metric);
      ASSERT_TRUE(same_bits(stream.output(), frozen.output())) << name(metric);
      overruns += report.overrun > 0 ? 1 : 0;
      EXPECT_EQ(stream.overruns(), overruns);
      EXPECT_EQ(stream.correct(given.gaussian(), Budget::macs(micros)).stop, Stop::budget);
    }
  }
}

TEST_F(Budgeted, OnAWallClockTheStateIsThatOfSoManyWholeMicroSteps) {
  Random random(2);
  std::vector<Stream> prefixes = unlimited(Metric::exact);
  Stream limited(model, options_of(Metric::exact, kDepth));
  std::uint64_t overruns = 0;
  for (int t = 0; t < 20'000; ++t) {
    const Given given(model, t);
    limited.advance(given.x);
    const std::vector<std::byte> bytes = snapshot_of(limited);
    const double limit = random.uniform(0, 20);
    const StepReport report = limited.correct(given.gaussian(), Budget::micros(limit));
    Stream& prefix = prefixes[static_cast<std::size_t>(report.accepted)];
    prefix.restore(bytes).value();
    prefix.correct(given.gaussian());
    ASSERT_TRUE(same_bytes(network_part(limited), network_part(prefix))) << t;
    ASSERT_TRUE(same_bits(limited.output(), prefix.output())) << t;
    ASSERT_LE(report.depth, kDepth);
    ASSERT_LE(report.accepted, report.depth);
    ASSERT_EQ(report.overrun, std::fmax(0.0, report.elapsed - limit));
    overruns += report.overrun > 0 ? 1 : 0;
    ASSERT_EQ(limited.overruns(), overruns);
  }
}

// an objective whose gradient takes a given time
class Slow final : public Objective {
 public:
  explicit Slow(const Gaussian& inner, double micros) : inner_(inner), micros_(micros) {}
  double value(std::span<const double> y) const override { return inner_.value(y); }
  void gradient(std::span<const double> y, std::span<double> gradient) const override {
    const double begun = now_micros();
    while (now_micros() - begun < micros_) continue;
    inner_.gradient(y, gradient);
  }
  void gauss_newton(std::span<const double> y, ConstDoubleRows u, DoubleRows wu) const override {
    inner_.gauss_newton(y, u, wu);
  }

 private:
  const Gaussian& inner_;
  double micros_;
};

TEST_F(Budgeted, OneSlowStepDoesNotEndCorrectionsForEver) {
  constexpr double kLimit = 10'000;  // a hundred times what a step takes, a tenth of the slow one
  Stream stream(model, options_of(Metric::exact, 1));
  const auto correct = [&](int t, double slow) {
    const Given given(model, t);
    const Gaussian objective = given.gaussian();
    stream.advance(given.x);
    return stream.correct(Slow(objective, slow), Budget::micros(kLimit));
  };
  correct(0, 10 * kLimit);
  EXPECT_EQ(stream.overruns(), 1U);
  EXPECT_EQ(correct(1, 0).stop, Stop::budget);
  int waited = 0;
  while (waited < 1000 && correct(2 + waited, 0).depth == 0) ++waited;
  EXPECT_LT(waited, 1000);
}

}  // namespace
}  // namespace elastane
