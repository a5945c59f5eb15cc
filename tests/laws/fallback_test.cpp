// Tests of elastane/core/corrector/correction_run.cpp: where a step cannot be made, the latent stays as it is, bit for
// bit, the memory stays finite, the report says why, and the next correction works (G13).
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "tests/laws/workbench.h"

namespace elastane {
namespace {

constexpr int kD = 7, kM = 4;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// ½‖y − t‖² of all channels but the last `ignored`, with one thing wrong
class Faulty final : public Objective {
 public:
  explicit Faulty(Vector target) : plain(std::move(target)) {}
  double value(std::span<const double> y) const override {
    return calls++ == bad_value_at ? bad : plain.value(y.first(kM - ignored));
  }
  void gradient(std::span<const double> y, std::span<double> out) const override {
    for (double& v : out) v = 0;
    plain.gradient(y.first(kM - ignored), out.first(kM - ignored));
    if (bad_gradient) out[1] = bad;
  }
  void gauss_newton(std::span<const double> y, ConstDoubleRows u, DoubleRows wu) const override {
    for (int r = 0; r < u.count; ++r) {
      for (std::size_t i = 0; i < y.size(); ++i) wu[r][i] = weight(static_cast<int>(i)) * u[r][i];
    }
  }
  bool diagonal(std::span<const double> y, std::span<double> w) const override {
    for (std::size_t i = 0; i < y.size() && says_diagonal; ++i) w[i] = weight(static_cast<int>(i));
    return says_diagonal;
  }
  double weight(int i) const { return bad_curvature && i == 1 ? bad : i < kM - ignored ? curvature : 0.0; }

  SquaredError plain;
  int ignored = 0;
  double bad = kNan, curvature = 1;
  int bad_value_at = -1;
  bool bad_gradient = false, bad_curvature = false, says_diagonal = true;
  mutable int calls = 0;
};

// a decoder with one thing wrong; `solve` is a plain Gauss–Newton step
class FaultyLatent final : public LatentModel {
 public:
  int latents() const override { return kD; }
  int outputs() const override { return kM; }
  LatentCost cost() const override { return plain.cost(); }
  void linearise(std::span<const double> z, std::span<double> y) override {
    plain.linearise(z, y);
    if (bad_point) y[kM - 1] = bad;
  }
  void output(std::span<const double> z, std::span<double> y) override {
    plain.output(z, y);
    if (bad_trial) y[kM - 1] = bad;
  }
  void jvp(ConstDoubleRows q, DoubleRows jq) override {
    plain.jvp(q, jq);
    for (int r = 0; r < q.count && bad_jvp; ++r) jq[r][0] = bad;
  }
  void vjp(ConstDoubleRows w, DoubleRows jtw) override {
    plain.vjp(w, jtw);
    for (int r = 0; r < w.count && bad_vjp; ++r) jtw[r][0] = bad;
  }
  void second(std::span<const double> q, std::span<double> d2) override { plain.second(q, d2); }
  void roll_point(DoubleRows y) override { plain.roll_point(y); }
  void roll_tangent(std::span<const double> v, DoubleRows dy) override { plain.roll_tangent(v, dy); }
  void roll(std::span<const double> z, DoubleRows y) override { plain.roll(z, y); }
  bool solve(const Objective& objective, std::span<const double> y, std::span<const double> gradient,
             std::span<double> v) override {
    MatrixXd j(kM, kD), w(kM, kM);
    const MatrixXd unit = MatrixXd::Identity(kD, kD), unit_m = MatrixXd::Identity(kM, kM);
    jvp({unit.data(), kD, kD}, {j.data(), kD, kM});
    objective.gauss_newton(y, {unit_m.data(), kM, kM}, {w.data(), kM, kM});
    const VectorXd step = -solve_positive(j.transpose() * w * j + unit, as_eigen(gradient));
    for (int i = 0; i < kD; ++i) v[i] = step[i];
    return true;
  }

  TanhLatent plain{kD, 12, kM, 5, 1.5};
  double bad = kNan;
  bool bad_point = false, bad_trial = false, bad_jvp = false, bad_vjp = false;
};

class FallbackOf : public testing::TestWithParam<Metric> {
 protected:
  FallbackOf()
      : learned(random, kD, 3),
        objective(random_point(random, kM)),
        lone({.metric = {.kind = GetParam(), .rank = 4}}, model, learned.view),
        z(random_point(random, kD)) {}

  // two good corrections, so that there is something to lose
  void SetUp() override {
    for (int t = 0; t < 2; ++t) expect_works();
  }

  void expect_works() {
    // a goal that is near
    Vector goal(kM);
    model.output(z, goal);
    for (double& value : goal) value += 0.05 * random.normal();
    const Faulty healthy(goal);
    const StepReport report = lone.correct(model, healthy, z);
    EXPECT_TRUE(report.accepted > 0 || GetParam() == Metric::literal) << name(report.stop);
    EXPECT_TRUE(all_finite(z) && all_finite(lone.y) && all_finite(lone.memory));
  }

  // the step fails, for that reason; then the next one works
  template <class... Reasons>
  StepReport expect_refused(Reasons... reasons) {
    const Vector before = z;
    const StepReport report = lone.correct(model, objective, z);
    EXPECT_TRUE(((report.stop == reasons) || ...)) << name(report.stop);
    EXPECT_EQ(report.accepted, 0);
    EXPECT_EQ(std::memcmp(z.data(), before.data(), sizeof(double) * kD), 0);
    EXPECT_TRUE(all_finite(lone.memory));
    model.bad_point = model.bad_trial = model.bad_jvp = model.bad_vjp = false;
    expect_works();
    return report;
  }

  Random random{static_cast<std::uint64_t>(17)};
  RandomLearned learned;
  FaultyLatent model;
  Faulty objective;
  LoneCorrector lone;
  Vector z;
};

std::vector<Metric> all_metrics() {
  std::vector<Metric> all(std::begin(kPlainMetrics), std::end(kPlainMetrics));
  all.push_back(Metric::native);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Metric, FallbackOf, testing::ValuesIn(all_metrics()),
                         [](const auto& test) { return std::string(name(test.param)); });

TEST_P(FallbackOf, AnOutputThatIsNotFinite) {
  for (const double bad : {kNan, kInfinity, -kInfinity}) {
    model.bad = bad;
    model.bad_point = true;
    expect_refused(Stop::not_finite);
    // also where the objective does not look at it
    model.bad_point = true;
    objective.ignored = 1;
    expect_refused(Stop::not_finite);
  }
}

TEST_P(FallbackOf, AnOutputThatIsNotFiniteAtTheTrial) {
  for (const double bad : {kNan, kInfinity, -kInfinity}) {
    model.bad = bad;
    model.bad_trial = true;
    expect_refused(Stop::rejected);
    model.bad_trial = true;
    objective.ignored = 1;
    expect_refused(Stop::rejected);
  }
}

TEST_P(FallbackOf, ALossThatIsNotFinite) {
  for (const double bad : {kNan, kInfinity, -kInfinity}) {
    objective.bad = bad;
    objective.calls = 0;
    objective.bad_value_at = 0;
    expect_refused(Stop::not_finite);
  }
}

TEST_P(FallbackOf, ALossThatIsNotFiniteAtTheTrial) {
  for (const double bad : {kNan, kInfinity, -kInfinity}) {
    LoneCorrector once({.metric = {.kind = GetParam(), .rank = 4}, .trust = {.trials = 1}}, model, learned.view);
    std::swap(once.corrector, lone.corrector);
    objective.bad = bad;
    objective.calls = 0;
    objective.bad_value_at = 1;
    const double radius = lone.radius();
    const Vector before = z;
    const StepReport report = lone.correct(model, objective, z);
    EXPECT_EQ(report.stop, Stop::rejected) << name(report.stop);
    EXPECT_EQ(z, before);
    EXPECT_EQ(lone.radius(), std::fmax(radius / 2, 1e-3));
    EXPECT_TRUE(all_finite(lone.memory));
    std::swap(once.corrector, lone.corrector);
    expect_works();
  }
}

TEST_P(FallbackOf, AGradientThatIsNotFinite) {
  for (const double bad : {kNan, kInfinity, -kInfinity}) {
    objective.bad = bad;
    objective.bad_gradient = true;
    expect_refused(Stop::not_finite);
  }
}

TEST_P(FallbackOf, ACurvatureThatIsNotFinite) {
  for (const double bad : {kNan, kInfinity}) {
    for (const bool diagonal : {true, false}) {
      objective.bad = bad;
      objective.bad_curvature = true;
      objective.says_diagonal = diagonal;
      // a metric that has no use for it is stopped by the model of the loss
      expect_refused(Stop::singular, Stop::not_finite);
    }
  }
}

TEST_P(FallbackOf, ACurvatureThatIsNotFiniteWhereTheOutputAgrees) {
  // nowhere to go, and nothing to learn from it either
  model.output(z, objective.plain.target);
  objective.bad_curvature = true;
  for (const bool diagonal : {true, false}) {
    objective.says_diagonal = diagonal;
    const Vector memory = lone.memory, before = z;
    const StepReport report = lone.correct(model, objective, z);
    EXPECT_TRUE(report.stop == Stop::zero_gradient || report.stop == Stop::singular) << name(report.stop);
    EXPECT_EQ(lone.memory, memory);
    EXPECT_EQ(z, before);
  }
}

TEST_P(FallbackOf, DerivativesThatAreNotFinite) {
  for (const double bad : {kNan, kInfinity}) {
    model.bad = bad;
    model.bad_vjp = true;
    expect_refused(Stop::not_finite);
    // those that have J as a whole do not ask for products with it
    if (GetParam() == Metric::exact || GetParam() == Metric::kalman) continue;
    model.bad_jvp = true;
    expect_refused(Stop::not_finite, Stop::singular);
  }
}

TEST_P(FallbackOf, ALatentThatIsNotFinite) {
  const Vector good = z;
  z[2] = kNan;
  const StepReport report = lone.correct(model, objective, z);
  EXPECT_EQ(report.stop, Stop::not_finite);
  EXPECT_TRUE(std::isnan(z[2])) << "it is the caller's";
  z = good;
  EXPECT_TRUE(all_finite(lone.memory));
  expect_works();
}

TEST_P(FallbackOf, AZeroGradient) {
  Vector y(kM);
  model.output(z, y);
  objective.plain.target = y;
  const StepReport report = expect_refused(Stop::zero_gradient);
  EXPECT_EQ(report.loss_before, 0.0);
  EXPECT_EQ(report.loss_after, 0.0);
}

TEST_P(FallbackOf, ADecoderThatDoesNotMove) {
  LinearLatent still(kD, kM, 1);
  still.c.assign(still.c.size(), 0.0);
  const Vector before = z;
  const StepReport report = lone.corrector.correct(still, objective, Budget::none(), z, lone.y, lone.memory.data());
  EXPECT_EQ(report.stop, Stop::zero_gradient) << name(report.stop);
  EXPECT_EQ(z, before);
  EXPECT_TRUE(all_finite(lone.memory));
  expect_works();
}

TEST_P(FallbackOf, AStepThatTheLossDoesNotFeel) {
  // at the minimum but for rounding
  Vector y(kM);
  model.output(z, y);
  objective.plain.target = y;
  objective.plain.target[0] += 1e-9;
  expect_refused(Stop::converged);
}

TEST_P(FallbackOf, ALossWithoutCurvature) {
  // no unit for a relative λ: the first step of all would have no bound
  if (GetParam() == Metric::literal || GetParam() == Metric::native || GetParam() == Metric::kalman) {
    GTEST_SKIP() << "has a prior of its own";
  }
  objective.curvature = 0;
  lone.corrector.reset(lone.memory.data());
  for (const bool diagonal : {true, false}) {
    objective.says_diagonal = diagonal;
    expect_refused(Stop::singular);
    lone.corrector.reset(lone.memory.data());
  }
}

TEST_P(FallbackOf, NothingObserved) {
  struct Nothing final : Objective {
    double value(std::span<const double>) const override { return 0; }
    void gradient(std::span<const double>, std::span<double>) const override {}
    void gauss_newton(std::span<const double>, ConstDoubleRows, DoubleRows) const override {}
    bool empty() const override { return true; }
  };
  const Vector before = z, memory = lone.memory;
  const StepReport report = lone.correct(model, Nothing{}, z);
  EXPECT_EQ(report.stop, Stop::nothing_observed);
  EXPECT_EQ(z, before);
  EXPECT_EQ(lone.memory, memory);
  Vector y(kM);
  model.output(z, y);
  EXPECT_EQ(lone.y, y) << "the outputs are there all the same";
}

TEST_P(FallbackOf, ProbesThatAllLieInOneDirection) {
  // one output, so that gradient, last step and sketch are one direction
  LinearLatent line(kD, 1, 3);
  const RandomLearned one(random, kD, 2);
  LoneCorrector narrow({.metric = {.kind = GetParam(), .rank = 4}}, line, one.view);
  if (GetParam() == Metric::native) GTEST_SKIP() << "has no probes";
  int accepted = 0;
  for (int t = 0; t < 50; ++t) {
    const SquaredError goal(random_point(random, 1));
    accepted += narrow.correct(line, goal, z).accepted;
    ASSERT_TRUE(all_finite(narrow.memory) && all_finite(z));
  }
  EXPECT_GT(accepted, GetParam() == Metric::literal ? 5 : 40);
}

// a metric that needs what the latent does not have
void expect_singular(Metric metric) {
  TanhLatent model(kD, 12, kM, 5);
  LoneCorrector lone({.metric = {.kind = metric}}, model);
  Random random(3);
  const SquaredError objective(random_point(random, kM));
  Vector z = random_point(random, kD);
  const Vector before = z;
  EXPECT_EQ(lone.correct(model, objective, z).stop, Stop::singular);
  EXPECT_EQ(z, before);
}

TEST(Fallback, ALearnedMetricThatIsNotThereIsRefusedAtOnce) {
  TanhLatent model(kD, 12, kM, 5);
  EXPECT_THROW(LoneCorrector({.metric = {.kind = Metric::learned}}, model), std::runtime_error);
}

TEST(Fallback, OfALatentWithoutASolveOfItsOwnIsToRefuse) { expect_singular(Metric::native); }

}  // namespace
}  // namespace elastane
