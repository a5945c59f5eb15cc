// Tests of apps/elastane/trace/trace_summary.cpp: figures that can be told by hand.
#include "apps/elastane/trace/trace_summary.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/io/trace_steps.h"

namespace elastane::app {
namespace {

// of steps 1, 2, … of which each is made by `report_of(i)`
template <class ReportOf>
TraceSummary summary_of(int steps, ReportOf report_of) {
  TraceCollector collector;
  for (int i = 1; i <= steps; ++i) {
    collector.add({.position = static_cast<std::uint64_t>(i), .time = 0.5 * i, .report = report_of(i)});
  }
  return collector.summary();
}

// K micro-steps, all accepted, that bring a loss to an end
StepReport report(int depth, double before, double after) {
  StepReport r{.depth = depth, .accepted = depth, .trials = depth, .loss_before = before, .loss_after = after};
  r.horizon_before = 2 * before;
  r.horizon_after = 2 * after;
  return r;
}

TEST(TraceSummary, CountsDepthsStopsAndWhatWasAccepted) {
  const TraceSummary s = summary_of(8, [](int i) {
    StepReport r{.stop = i % 2 == 0 ? Stop::gate : Stop::rejected, .metric = Metric::exact, .depth = i - 1};
    r.accepted = i / 2;
    r.trials = 10;
    r.cut = i == 3;
    return r;
  });
  EXPECT_EQ(s.steps, 8U);
  EXPECT_EQ(s.first_position, 1U);
  EXPECT_EQ(s.last_position, 8U);
  EXPECT_EQ(s.first_time, 0.5);
  EXPECT_EQ(s.last_time, 4);
  for (std::size_t k = 0; k <= kDeepest; ++k) EXPECT_EQ(s.depths[k], k < 8 ? 1U : 0U);
  EXPECT_EQ(s.micro_steps, 28U);
  EXPECT_EQ(s.accepted, 16U);
  EXPECT_EQ(s.trials, 80U);
  EXPECT_EQ(s.stop_reasons[static_cast<int>(Stop::gate)], 4U);
  EXPECT_EQ(s.stop_reasons[static_cast<int>(Stop::rejected)], 4U);
  EXPECT_EQ(s.metrics[static_cast<int>(Metric::exact)], 8U);
  EXPECT_EQ(s.cuts, 1U);
}

TEST(TraceSummary, BinsStepsOfAboutTheSameLoss) {
  // in any order: 7 is coprime to 101
  const TraceSummary s = summary_of(100, [](int i) { return report((i * 7 % 101 - 1) / 20, i * 7 % 101, 1); });
  ASSERT_EQ(s.by_loss.size(), 5U);
  for (std::size_t b = 0; b < 5; ++b) {
    const auto at = static_cast<double>(b);
    EXPECT_EQ(s.by_loss[b].from, 20 * at + 1);
    EXPECT_EQ(s.by_loss[b].to, 20 * at + 20);
    EXPECT_EQ(s.by_loss[b].steps, 20U);
    EXPECT_EQ(s.by_loss[b].mean_depth, at);
    EXPECT_DOUBLE_EQ(s.by_loss[b].loss.before, 20 * at + 10.5);
    EXPECT_EQ(s.by_loss[b].loss.after, 1);
  }
  EXPECT_TRUE(std::isnan(s.by_loss[0].accept_rate));
  EXPECT_EQ(s.by_loss[1].accept_rate, 1);
}

TEST(TraceSummary, KeepsStepsOfEqualLossInOneBin) {
  const TraceSummary s = summary_of(100, [](int i) { return report(1, i <= 90 ? 0.0 : i, 0); });
  std::uint64_t steps = 0;
  for (const Bin& bin : s.by_loss) steps += bin.steps;
  EXPECT_EQ(steps, 100U);
  EXPECT_TRUE(std::any_of(s.by_loss.begin(), s.by_loss.end(), [](const Bin& b) { return b.steps >= 90; }));
}

TEST(TraceSummary, BinsKappaWhereAMicroStepWasStarted) {
  const TraceSummary s = summary_of(20, [](int i) {
    StepReport r = report(i % 2, 1, 1);
    r.kappa = i;
    return r;
  });
  ASSERT_EQ(s.by_kappa.size(), 5U);
  EXPECT_EQ(s.by_kappa.front().from, 1);
  EXPECT_EQ(s.by_kappa.back().to, 19);
  for (const Bin& bin : s.by_kappa) EXPECT_EQ(bin.steps, 2U);
}

TEST(TraceSummary, TakesGainsWhereThereWasALoss) {
  const TraceSummary s = summary_of(6, [](int i) {
    StepReport r = report(1, 10, 4);
    if (i == 2) r = report(0, 6, 6);
    if (i == 3) r.stop = Stop::nothing_observed;
    if (i == 4) r.stop = Stop::no_corrector;
    if (i == 5) r.loss_after = std::nan("");
    if (i == 6) r.loss_before = HUGE_VAL, r.stop = Stop::not_finite;
    return r;
  });
  EXPECT_EQ(s.loss.steps, 2U);
  EXPECT_EQ(s.loss.before, 8);
  EXPECT_EQ(s.loss.after, 5);
  EXPECT_EQ(s.loss.relative(), 3.0 / 8);
  EXPECT_EQ(s.corrected_loss.steps, 1U);
  EXPECT_EQ(s.corrected_loss.relative(), 0.6);
  EXPECT_EQ(s.corrected_horizon.before, 20);
  EXPECT_EQ(s.lowered, 2U);  // from infinity as well
  EXPECT_EQ(s.raised, 0U);
  EXPECT_EQ((Gain{1, -10, -12}).relative(), 0.2);
  EXPECT_TRUE(std::isnan((Gain{1, 0, 0}).relative()));
}

TEST(TraceSummary, FollowsConditionAndRadiusOverTime) {
  const TraceSummary s = summary_of(1000, [](int i) {
    StepReport r = report(i % 2, i, 0);
    r.condition = i % 2 == 0 ? 1 : i;
    r.radius = 1.0 / i;
    return r;
  });
  ASSERT_EQ(s.over_time.size(), 10U);
  for (std::size_t b = 0; b < 10; ++b) {
    const Bin& bin = s.over_time[b];
    const auto first = 100 * static_cast<double>(b) + 1;
    EXPECT_EQ(bin.from, first);
    EXPECT_EQ(bin.to, first + 99);
    EXPECT_EQ(bin.steps, 100U);
    EXPECT_EQ(bin.mean_depth, 0.5);
    EXPECT_EQ(bin.loss.before, first + 49.5);
    EXPECT_EQ(bin.condition.steps, 50U);
    EXPECT_EQ(bin.condition.p50, first + 50);
    EXPECT_EQ(bin.condition.max, first + 98);
    EXPECT_FLOAT_EQ(static_cast<float>(bin.radius.max), static_cast<float>(1 / first));
  }
}

TEST(TraceSummary, SplitsTimeAndCountedCostByStage) {
  constexpr auto kSolve = static_cast<std::size_t>(Stage::solve), kScore = static_cast<std::size_t>(Stage::score),
                 kOther = static_cast<std::size_t>(Stage::other);
  const TraceSummary s = summary_of(100, [](int i) {
    StepReport r;
    r.micros[kScore] = 2;
    r.micros[kSolve] = i <= 50 ? 0 : i;  // runs in every second step
    r.micros[kOther] = 1;
    r.elapsed = 3 + r.micros[kSolve] + 4;  // of which nobody claims 4
    r.macs[kScore] = 100;
    r.macs[kSolve] = i <= 50 ? 0 : 600;
    return r;
  });
  EXPECT_EQ(s.stages[kScore].micros.steps, 100U);
  EXPECT_EQ(s.stages[kScore].mean_micros, 2);
  EXPECT_EQ(s.stages[kScore].micros.p99, 2);
  EXPECT_EQ(s.stages[kSolve].micros.steps, 50U);
  EXPECT_EQ(s.stages[kSolve].mean_micros, 37.75);  // (51 + … + 100)/100
  EXPECT_EQ(s.stages[kSolve].micros.p50, 76);
  EXPECT_EQ(s.stages[kSolve].micros.p90, 96);
  EXPECT_EQ(s.stages[kSolve].micros.max, 100);
  EXPECT_EQ(s.stages[kOther].mean_micros, 5);
  EXPECT_EQ(s.total.mean_micros, 44.75);
  EXPECT_EQ(s.total.micros.max, 107);
  EXPECT_EQ(s.stages[kScore].mean_macs, 100);
  EXPECT_EQ(s.stages[kSolve].macs_share, 0.75);
  EXPECT_EQ(s.total.mean_macs, 400);
  double micros = 0, macs = 0;
  for (const StageSummary& stage : s.stages) micros += stage.micros_share, macs += stage.macs_share;
  EXPECT_DOUBLE_EQ(micros, 1);
  EXPECT_DOUBLE_EQ(macs, 1);
}

TEST(TraceSummary, CountsOverruns) {
  const TraceSummary s = summary_of(10, [](int i) {
    StepReport r;
    r.overrun = i <= 7 ? 0 : i;
    return r;
  });
  EXPECT_EQ(s.overrun.steps, 3U);
  EXPECT_EQ(s.overrun.p50, 9);
  EXPECT_EQ(s.overrun.max, 10);
}

TEST(TraceSummary, OfAnyBitsIsMade) {
  Random random(1);
  TraceCollector collector;
  EXPECT_EQ(collector.summary().steps, 0U);
  for (int i = 0; i < 500; ++i) {
    collector.add(random_step(random));
    const TraceSummary s = collector.summary();
    ASSERT_EQ(std::accumulate(s.depths.begin(), s.depths.end(), std::uint64_t{0}), s.steps);
    ASSERT_EQ(std::accumulate(s.stop_reasons.begin(), s.stop_reasons.end(), std::uint64_t{0}), s.steps);
    ASSERT_LE(s.by_loss.size(), 5U);
    ASSERT_EQ(s.over_time.size(), std::min<std::size_t>(10, s.steps));
  }
}

}  // namespace
}  // namespace elastane::app
