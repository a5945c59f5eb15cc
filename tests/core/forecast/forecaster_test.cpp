// Tests elastane/core/forecast/forecaster.cpp: what it learns, when, and what it survives.
#include "elastane/core/forecast/forecaster.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <functional>

#include "elastane/core/math/kernels.h"
#include "tests/core/forecast/forecasters.h"

namespace elastane {
namespace {

// features of the last row, of one target
Eigen::VectorXd features_of(const Forecaster& f, int target) {
  const auto& shape = f.sizes().shape;
  const int slot = f.view().slot(static_cast<double>(f.tick()) - 1);
  const double* at = f.view().features + (static_cast<std::size_t>(target) * f.sizes().horizon + slot) * shape.stride;
  return Eigen::Map<const Eigen::VectorXd>(at, shape.features);
}

TEST(Forecaster, WithoutForgettingReadOutsAreRidgeRegressionOnTheLabelsThatCame) {
  ForecastConfig config = small_config(3);
  config.forgetting = {1.0};
  const auto model = blank_forecast_model(config);
  Forecaster f(model);
  const ForecastRows rows = made_rows(300, 1);
  std::vector<Eigen::VectorXd> phi;
  for (const auto& row : rows) {
    f.observe(row);
    phi.push_back(features_of(f, 1));
  }
  const int n = f.sizes().shape.features, stride = f.sizes().shape.stride;
  for (int h = 1; h <= 3; ++h) {
    Eigen::MatrixXd a = Eigen::MatrixXd::Identity(n, n) / config.prior;
    Eigen::VectorXd b = Eigen::VectorXd::Zero(n);
    for (std::size_t t = 0; t + h < rows.size(); ++t) {
      a += phi[t] * phi[t].transpose();
      b += phi[t] * (rows[t + h][1] - rows[t][1]);
    }
    const Eigen::VectorXd expected = a.ldlt().solve(b);
    const double* w = f.view().weights + (static_cast<std::size_t>(1) * 3 + h - 1) * stride;
    for (int i = 0; i < n; ++i) EXPECT_NEAR(w[i], expected[i], 1e-5 * (1 + std::fabs(expected[i]))) << h << " " << i;
  }
}

// The first row that a forecast issued before it knew about, or −1. `issue` is given rows one by one and returns its
// forecast after each.
using Issue = std::function<std::vector<double>(const ForecastRows& rows, std::size_t t)>;
int first_leak(const Issue& issue, const ForecastRows& rows, std::size_t t) {
  const auto before = issue(rows, t);
  for (std::size_t later = t + 1; later < rows.size(); ++later) {
    ForecastRows changed = rows;
    changed[later][0] += 10;
    if (issue(changed, t) != before) return static_cast<int>(later);
  }
  return -1;
}

TEST(Forecaster, AForecastNeverKnowsWhatComesAfterIt) {
  const auto model = blank_forecast_model(small_config());
  const ForecastRows rows = made_rows(40, 2);
  const Issue honest = [&](const ForecastRows& given, std::size_t t) {
    Forecaster f(model);
    std::vector<double> at;
    for (std::size_t r = 0; r < given.size(); ++r) {
      f.observe(given[r]);
      if (r == t) at.assign(f.forecast().begin(), f.forecast().end());
    }
    return at;
  };
  // the usual mistake: the label of t + 1 is learned from before t's forecast is issued
  const Issue leaking = [&](const ForecastRows& given, std::size_t t) {
    Forecaster f(model);
    for (std::size_t r = 0; r <= t + 1; ++r) f.observe(given[r]);
    f.forget_rows();
    f.observe(given[t]);
    return std::vector<double>(f.forecast().begin(), f.forecast().end());
  };
  EXPECT_EQ(first_leak(honest, rows, 30), -1);
  EXPECT_EQ(first_leak(leaking, rows, 30), 31);
}

TEST(Forecaster, AStepIsCorrectedWhenItsRowArrivesAndNotBefore) {
  const int horizon = 4;
  ForecastConfig config = small_config(horizon);
  config.forgetting = {1.0};
  Forecaster f(blank_forecast_model(config));
  const auto weights = [&](int h) {
    const int stride = f.sizes().shape.stride;
    const double* at = f.view().weights + (h - 1) * stride;
    return std::vector<double>(at, at + stride);
  };
  const std::vector<double> zeros(static_cast<std::size_t>(f.sizes().shape.stride));
  const ForecastRows rows = made_rows(horizon + 1, 3);
  for (int t = 0; t <= horizon; ++t) {
    f.observe(rows[static_cast<std::size_t>(t)]);
    for (int h = 1; h <= horizon; ++h) EXPECT_EQ(weights(h) != zeros, t >= h) << "row " << t << ", step " << h;
  }
}

TEST(Forecaster, RestoringContinuesBitForBit) {
  const auto model = blank_forecast_model(small_config());
  const ForecastRows rows = made_rows(120, 4);
  Forecaster straight(model), first(model), second(model);
  for (int t = 0; t < 60; ++t) first.observe(rows[t]);
  const std::vector<double> saved(first.state().begin(), first.state().end());
  second.observe(rows[5]);
  second.restore(saved).value();
  Forecaster copy = first;
  for (int t = 0; t < 120; ++t) straight.observe(rows[t]);
  for (int t = 60; t < 120; ++t) {
    second.observe(rows[t]);
    copy.observe(rows[t]);
  }
  for (const Forecaster* other : {&second, &copy}) {
    EXPECT_TRUE(std::equal(straight.forecast().begin(), straight.forecast().end(), other->forecast().begin()));
    EXPECT_TRUE(std::equal(straight.state().begin(), straight.state().end(), other->state().begin()));
  }
}

TEST(Forecaster, RefusesInvalidStates) {
  Forecaster f(blank_forecast_model(small_config()));
  for (const auto& row : made_rows(20, 5)) f.observe(row);
  const std::vector<double> before(f.state().begin(), f.state().end());
  std::vector<double> bad = before;
  bad.pop_back();
  EXPECT_FALSE(f.restore(bad));
  for (const std::size_t at : {std::size_t{0}, before.size() / 2, before.size() - 1}) {
    bad = before;
    bad[at] = kGap;
    EXPECT_FALSE(f.restore(bad));
  }
  bad = before;
  bad[0] = -3;  // the tick
  EXPECT_FALSE(f.restore(bad));
  bad = before;
  bad[2] = 100;  // origins
  EXPECT_FALSE(f.restore(bad));
  EXPECT_TRUE(std::equal(before.begin(), before.end(), f.state().begin()));
}

TEST(Forecaster, LearningLeavesTheModelAlone) {
  const auto model = blank_forecast_model(small_config());
  const std::uint64_t hash = weights_hash(*model);
  Forecaster f(model);
  for (const auto& row : made_rows(200, 6)) f.observe(row);
  EXPECT_EQ(weights_hash(*model), hash);
}

TEST(Forecaster, StaysFiniteWhateverItIsGiven) {
  const auto model = blank_forecast_model(small_config());
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Forecaster f(model);
    Random random(seed);
    ForecastRows rows = made_rows(400, seed);
    for (auto& row : rows) {
      for (double& x : row) {
        switch (random.below(12)) {
          case 0: x = kGap; break;
          case 1: x = INFINITY; break;
          case 2: x *= std::pow(10.0, random.uniform(-300, 300)); break;
          case 3: x = 1e12; break;
          default: break;
        }
      }
      f.observe(row);
      for (const double y : f.forecast()) ASSERT_TRUE(std::isfinite(y));
      for (const double y : f.lower()) ASSERT_TRUE(std::isfinite(y));
      for (const double y : f.upper()) ASSERT_TRUE(std::isfinite(y));
    }
    for (const double s : f.state()) ASSERT_TRUE(std::isfinite(s));
  }
}

TEST(Forecaster, OneWildValueChangesNothingAndANewLevelIsBelievedInTheEnd) {
  const auto model = blank_forecast_model(small_config(1));
  Forecaster calm(model), shocked(model);
  ForecastRows rows = made_rows(300, 7);
  for (int t = 0; t < 200; ++t) {
    calm.observe(rows[t]);
    shocked.observe(rows[t]);
  }
  calm.observe(std::vector{kGap, kGap});
  const auto report = shocked.observe(std::vector{1e6, -1e6});
  EXPECT_EQ(report.refused, 2);
  EXPECT_TRUE(std::equal(calm.forecast().begin(), calm.forecast().end(), shocked.forecast().begin()));
  for (int t = 200; t < 220; ++t) shocked.observe(std::vector{rows[t][0] + 1e4, rows[t][1]});
  EXPECT_NEAR(shocked.forecast()[0], 1e4, 1e3);
}

TEST(Forecaster, MissingRowsAreRowsAndGapsAreMissingRows) {
  const auto model = blank_forecast_model(small_config());
  const ForecastRows rows = made_rows(100, 8);
  Forecaster stepped(model), jumped(model);
  for (int t = 0; t < 50; ++t) {
    stepped.observe(rows[t]);
    jumped.observe(rows[t]);
  }
  for (int t = 50; t < 57; ++t) stepped.observe({});
  stepped.observe(rows[57]);
  jumped.observe_at(57, rows[57]);
  EXPECT_TRUE(std::equal(stepped.forecast().begin(), stepped.forecast().end(), jumped.forecast().begin()));
  EXPECT_EQ(jumped.rows(), 51U);
  jumped.observe_at(1'000'000'000'000, rows[58]);  // the past says nothing any more; and it does not take for ever
  EXPECT_EQ(jumped.tick(), 1'000'000'000'001U);
}

TEST(Forecaster, ABudgetLeavesOutTargetsInTurn) {
  ForecastConfig config = small_config(2);
  config.forgetting = {0.999};
  Forecaster f(blank_forecast_model(config)), free(blank_forecast_model(config));
  const ForecastRows rows = made_rows(64, 9);
  int depth = 0;
  for (const auto& row : rows) {
    const int wanted = free.observe(row).depth;
    EXPECT_EQ(f.observe(row, Budget::macs(0)).depth, 0);
    depth += wanted;
  }
  EXPECT_GT(depth, 100);
  // what one correction takes; then exactly one target learns in a row, and they alternate
  const auto one = [&](double macs) {
    std::vector<int> learned(2);
    Forecaster g(blank_forecast_model(config));
    std::vector<double> before(g.view().weights, g.view().weights + 4 * g.sizes().shape.stride);
    for (const auto& row : rows) {
      const auto report = g.observe(row, Budget::macs(macs));
      EXPECT_LE(report.depth, 1);
      for (int i = 0; i < 2; ++i) {
        const std::size_t n = static_cast<std::size_t>(2) * g.sizes().shape.stride;
        const double* now = g.view().weights + i * n;
        learned[i] += !std::equal(now, now + n, before.begin() + static_cast<std::ptrdiff_t>(i * n));
        std::copy_n(now, n, before.begin() + static_cast<std::ptrdiff_t>(i * n));
      }
    }
    return learned;
  };
  double limit = 1;
  while (one(limit)[0] == 0 && limit < 1e6) limit *= 1.3;
  const auto learned = one(limit);
  EXPECT_NEAR(learned[0], learned[1], 2);
}

TEST(Forecaster, AGateThatAsksForMoreThanThereIsToGainTeachesNothing) {
  Forecaster always(blank_forecast_model(small_config())),
      never(blank_forecast_model(small_config()), {.gate = {.kind = Gate::never}}),
      dear(blank_forecast_model(small_config()), {.gate = {.kind = Gate::gain, .price = 1e9}});
  int depths[3] = {};
  for (const auto& row : made_rows(50, 10)) {
    depths[0] += always.observe(row).accepted;
    depths[1] += never.observe(row).accepted;
    depths[2] += dear.observe(row).accepted;
  }
  EXPECT_GT(depths[0], 50);
  EXPECT_EQ(depths[1], 0);
  EXPECT_EQ(depths[2], 0);
}

TEST(Forecaster, LearnsTheSameOnEveryInstructionSet) {
  const auto model = blank_forecast_model(small_config());
  const ForecastRows rows = made_rows(300, 12);
  Forecaster best(model);
  for (const auto& row : rows) best.observe(row);
  for (const Isa isa : kEachIsa) {
    if (!kernels(isa)) continue;
    Forecaster f(model, {.isa = isa});
    for (const auto& row : rows) f.observe(row);
    for (std::size_t i = 0; i < f.forecast().size(); ++i) {
      EXPECT_NEAR(f.forecast()[i], best.forecast()[i], 1e-6) << name(isa);
    }
  }
}

double mean_square(Forecaster f, const ForecastRows& rows) {
  double sum = 0, n = 0;
  std::vector<double> last;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    if (t > rows.size() / 2) sum += std::pow(last[0] - rows[t][0], 2), n += 1;
    f.observe(rows[t]);
    last.assign(f.forecast().begin(), f.forecast().end());
  }
  return sum / n;
}

TEST(Forecaster, EveryKindLearnsAndKalmanLearnsMost) {
  ForecastConfig config = small_config(1);
  config.gradient_rate = 0.05;
  config.damping = 100;
  const auto model = blank_forecast_model(config);
  const ForecastRows rows = made_rows(2000, 11);
  const double frozen = mean_square(Forecaster(model, {.adapt = false}), rows);
  double best = INFINITY;
  for (const Learning learning : {Learning::euclidean, Learning::exact, Learning::latent_covariance}) {
    const double error = mean_square(Forecaster(model, {.hedge = false, .learning = learning}), rows);
    EXPECT_LT(error, 0.8 * frozen) << name(learning);
    best = std::min(best, error);
  }
  EXPECT_LT(mean_square(Forecaster(model, {.hedge = false}), rows), best);
}

TEST(Forecaster, AWarmForecasterForecastsBeforeItsFirstRow) {
  Forecaster first(blank_forecast_model(small_config()));
  for (const auto& row : made_rows(300, 5)) first.observe(row);
  auto model = std::make_shared<ForecastModel>(first.model());
  model->start.assign(first.state().begin(), first.state().end());
  const Forecaster warm(model, {.warm = true});
  for (std::size_t i = 0; i < first.forecast().size(); ++i) EXPECT_EQ(warm.forecast()[i], first.forecast()[i]);
}

TEST(Forecaster, LearningAtOnceIsTheCorrectionOfEveryLabel) {
  // a gate that asks no price weighs every correction, and takes it
  const auto model = blank_forecast_model(small_config());
  Forecaster at_once(model), weighed(model, {.gate = {.kind = Gate::gain, .price = 0}});
  for (const auto& row : made_rows(400, 12)) {
    const ForecastReport a = at_once.observe(row), b = weighed.observe(row);
    EXPECT_EQ(a.accepted, b.accepted);
  }
  for (std::size_t i = 0; i < at_once.forecast().size(); ++i)
    EXPECT_NEAR(at_once.forecast()[i], weighed.forecast()[i], 1e-9);
}

TEST(Forecaster, RefusesOptionsAndModelsThatMakeNoSense) {
  const auto model = blank_forecast_model(small_config());
  EXPECT_FALSE(validate(ForecasterOptions{.learning = static_cast<Learning>(9)}));
  EXPECT_FALSE(validate(ForecasterOptions{.interval = {.coverage = 1.5}}));
  EXPECT_THROW(Forecaster(model, {.learning = static_cast<Learning>(9)}), std::runtime_error);
  ForecastModel bad = *model;
  bad.neighbour.back() = 7;
  EXPECT_FALSE(validate(bad));
  bad = *model;
  bad.deviation[0] = 0;
  EXPECT_FALSE(validate(bad));
  bad = *model;
  bad.start.assign(3, 0.0);
  EXPECT_FALSE(validate(bad));
  ForecastConfig config = small_config();
  config.horizon = 0;
  EXPECT_FALSE(validate(config));
  config = small_config();
  config.periods = {kGap};
  EXPECT_FALSE(validate(config));
}

TEST(Forecaster, IsRefusedWithTheReason) {
  EXPECT_NE(Forecaster::create(nullptr).error().find("found none"), std::string::npos);
  const auto model = blank_forecast_model(small_config());
  ForecasterOptions options;
  options.interval.coverage = 2;
  EXPECT_NE(Forecaster::create(model, options).error().find("coverage"), std::string::npos);
  EXPECT_TRUE(Forecaster::create(model));
}

}  // namespace
}  // namespace elastane
