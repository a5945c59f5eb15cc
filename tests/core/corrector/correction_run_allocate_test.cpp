// Tests of elastane/core/corrector/correction_run_allocate.cpp: a budget takes whole micro-steps away, from the end, and
// nothing else.
#include "elastane/core/allocation/budget.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/laws/workbench.h"

namespace elastane {
namespace {

constexpr int kD = 3, kM = 2, kDepth = 4;

bool same_bits(const Vector& a, const Vector& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0;
}

class BudgetOf : public testing::TestWithParam<Metric> {};

INSTANTIATE_TEST_SUITE_P(Metric, BudgetOf,
                         testing::Values(Metric::exact, Metric::sketch, Metric::conjugate_gradient, Metric::euclidean,
                                         Metric::literal),
                         [](const auto& test) { return std::string(name(test.param)); });

TEST_P(BudgetOf, LeavesAPrefixOfWhatTimeWithoutEndWouldGive) {
  TanhLatent model(kD, 4, kM, 3, 2.0);
  CorrectorOptions options = {.metric = {.kind = GetParam(), .rank = 2}, .gate = {.depth = kDepth}};
  LoneCorrector lone(options, model);
  // the same without a budget, to every depth
  std::vector<LoneCorrector> to_depth;
  for (int depth = 0; depth <= kDepth; ++depth) {
    options.gate.depth = depth;
    to_depth.emplace_back(options, model);
  }
  const LatentCost cost = model.cost();
  const double step = static_cast<double>(lone.corrector.micro_step_macs(cost));

  Random random(5);
  SquaredError objective(Vector(kM, 0.0));
  Vector z = random_point(random, kD);
  std::array<int, kDepth + 1> cut_at = {};
  const int steps = GetParam() == Metric::exact ? 100'000 : 10'000;
  for (int t = 0; t < steps; ++t) {
    for (double& goal : objective.target) goal = random.uniform(-2, 2);
    for (double& value : z) value = random.uniform(-1.5, 1.5);
    const double limit = random.uniform(0, kDepth * step);
    const Vector before = z, memory = lone.memory;
    const StepReport report = lone.correct(model, objective, z, Budget::macs(limit));

    ASSERT_EQ(report.cut, report.stop == Stop::budget);
    ASSERT_LE(static_cast<double>(report.total_macs()), std::fmax(limit, static_cast<double>(cost.read)));
    LoneCorrector& twin = to_depth[report.depth];
    twin.memory = memory;
    Vector z_twin = before;
    const StepReport same = twin.correct(model, objective, z_twin);
    ASSERT_EQ(same.depth, report.depth);
    ASSERT_EQ(same.accepted, report.accepted);
    ASSERT_TRUE(same_bits(z, z_twin) && same_bits(lone.y, twin.y) && same_bits(lone.memory, twin.memory)) << t;
    ASSERT_EQ(same.loss_after, report.loss_after);
    ASSERT_EQ(same.total_macs(), report.total_macs());
    if (report.cut) {
      // all that was started was accepted, and one more might not have fitted
      ASSERT_EQ(same.stop, Stop::completed);
      ASSERT_LT(report.depth, kDepth);
      ASSERT_GT(static_cast<double>(report.total_macs()) + step, limit);
      ++cut_at[report.depth];
    } else {
      ASSERT_EQ(same.stop, report.stop);
    }
  }
  for (int depth = 0; depth < kDepth; ++depth) EXPECT_GT(cut_at[depth], steps / 1000) << "cut after " << depth;
}

TEST_P(BudgetOf, OfNothingLeavesTheProposal) {
  TanhLatent model(kD, 4, kM, 3, 2.0);
  Random random(5);
  const SquaredError objective(random_point(random, kM));
  for (const Budget& budget : {Budget::macs(0), Budget::macs(1), Budget::micros(-1)}) {
    LoneCorrector lone({.metric = {.kind = GetParam(), .rank = 2}, .gate = {.depth = kDepth}}, model);
    const Vector memory = lone.memory;
    Vector z = random_point(random, kD);
    const Vector before = z;
    const StepReport report = lone.correct(model, objective, z, budget);
    EXPECT_EQ(report.stop, Stop::budget);
    EXPECT_TRUE(report.cut);
    EXPECT_EQ(report.depth, 0);
    EXPECT_TRUE(same_bits(z, before) && same_bits(lone.memory, memory));
    EXPECT_EQ(report.loss_after, report.loss_before);
    EXPECT_EQ(report.total_macs(), model.cost().read) << "the output is read all the same";
  }
}

TEST_P(BudgetOf, OfExactlyOneMicroStepAdmitsIt) {
  TanhLatent model(kD, 4, kM, 3, 2.0);
  Random random(5);
  const SquaredError objective(random_point(random, kM));
  const CorrectorOptions options = {.metric = {.kind = GetParam(), .rank = 2}, .gate = {.depth = kDepth}};
  LoneCorrector lone(options, model), less(options, model);
  const auto step = static_cast<double>(lone.corrector.micro_step_macs(model.cost()));
  Vector z = random_point(random, kD), z_less = z;
  EXPECT_EQ(lone.correct(model, objective, z, Budget::macs(step)).depth, 1);
  EXPECT_EQ(less.correct(model, objective, z_less, Budget::macs(step - 1)).depth, 0);
}

TEST_P(BudgetOf, GoesFurtherWhereTheFirstPartWasAnticipated) {
  TanhLatent model(kD, 4, kM, 3, 2.0);
  Random random(5);
  const SquaredError objective(random_point(random, kM));
  LoneCorrector lone({.metric = {.kind = GetParam(), .rank = 2}, .gate = {.depth = kDepth}}, model);
  const LatentCost cost = model.cost();
  const std::int64_t rest = lone.corrector.micro_step_macs(cost) - lone.corrector.anticipated_macs(cost);
  Vector z = random_point(random, kD);
  lone.corrector.anticipate(model, z, lone.memory.data());
  EXPECT_EQ(lone.correct(model, objective, z, Budget::macs(static_cast<double>(rest))).depth, 1);
}

TEST(WallClock, WithTimeEnoughChangesNothing) {
  TanhLatent model(kD, 4, kM, 3, 2.0);
  Random random(5);
  for (const Retraction kind : {Retraction::first_order, Retraction::second_order}) {
    const CorrectorOptions options = {.retraction = {.kind = kind}, .gate = {.depth = kDepth}};
    LoneCorrector lone(options, model), timed(options, model);
    for (int t = 0; t < 100; ++t) {
      const SquaredError objective(random_point(random, kM));
      Vector z = random_point(random, kD), z_timed = z;
      const StepReport report = lone.correct(model, objective, z);
      const StepReport same = timed.correct(model, objective, z_timed, Budget::micros(1e12));
      ASSERT_TRUE(same_bits(z, z_timed) && same_bits(lone.memory, timed.memory));
      ASSERT_EQ(report.stop, same.stop);
      ASSERT_EQ(same.overrun, 0.0);
      ASSERT_FALSE(same.cut);
    }
  }
}

}  // namespace
}  // namespace elastane
