// elastane/core/forecast/forecaster_guard.cpp
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "elastane/core/base/random.h"
#include "elastane/core/forecast/forecast_state.h"
#include "elastane/core/forecast/forecaster.h"
#include "tests/core/forecast/forecasters.h"

namespace elastane {
namespace {

constexpr int kGuardedRows = 1'500;

SharedForecastModel guarded_model() {
  ForecastConfig config;
  config.periods = {24};
  config.prior = 0.1;
  config.guard = {.outside = 4, .inside = 5, .after = 400};
  return blank_forecast_model(config);
}

double daily(int t) { return std::sin(2 * M_PI * t / 24); }

// a forecaster that has learned a season with noise, after kGuardedRows
Forecaster learned(Random& random, double noise) {
  Forecaster f(guarded_model());
  for (int t = 0; t < kGuardedRows; ++t) f.observe(std::vector{daily(t) + noise * random.normal()});
  return f;
}

TEST(GuardedForecaster, ALevelIsRefinedUntilItIsKnownMuchBetterThanTwoRowsCould) {
  constexpr double kNoise = 0.3, kJump = 12;
  double squares = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Random random(seed);
    Forecaster f = learned(random, kNoise);
    for (int t = kGuardedRows; t < kGuardedRows + 100; ++t)
      f.observe(std::vector{daily(t) + kNoise * random.normal() + kJump});
    const double off = f.view().guard[0].map.shift + kJump;
    squares += off * off / 8;
  }
  EXPECT_LT(std::sqrt(squares), 0.35 * kNoise);
}

TEST(GuardedForecaster, AJumpTooSmallToBeHeldIsShownByTheRowsAfterIt) {
  constexpr double kNoise = 0.3, kJump = 1.5;  // five deviations of the noise
  double squares = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Random random(seed);
    Forecaster f = learned(random, kNoise);
    for (int t = kGuardedRows; t < kGuardedRows + 40; ++t)
      f.observe(std::vector{daily(t) + kNoise * random.normal() + kJump});
    const double off = f.view().guard[0].map.shift + kJump;
    squares += off * off / 4;
  }
  EXPECT_LT(std::sqrt(squares), kNoise);
}

TEST(GuardedForecaster, RefiningALevelIsAsIfItHadBeenKnownFromTheStart) {
  Random random(3);
  Forecaster f = learned(random, 0.05);
  Forecaster calm = f;
  for (int t = kGuardedRows; t < kGuardedRows + 60; ++t) {
    const double value = daily(t) + 0.05 * random.normal();
    calm.observe(std::vector{value});
    f.observe(std::vector{value + 5});
  }
  EXPECT_NEAR(f.forecast()[0] - 5, calm.forecast()[0], 0.05);
  EXPECT_NEAR(f.view().bank.mean[3], calm.view().bank.mean[3], 0.05);
}

TEST(GuardedForecaster, ReportsWhatAValueIs) {
  Random random(5);
  const Forecaster calm = learned(random, 0.1);
  const auto report_of = [&](double value) {
    Forecaster f = calm;
    return f.observe(std::vector{value});
  };
  const ForecastReport usual = report_of(daily(kGuardedRows)), wild = report_of(40);
  EXPECT_EQ(usual.refused, 0);
  EXPECT_GT(usual.anomaly, 0.01);
  EXPECT_FALSE(usual.is_unusual || usual.is_cold);
  EXPECT_EQ(wild.refused, 1);
  EXPECT_LT(wild.anomaly, 1e-4);
  EXPECT_TRUE(wild.is_unusual);
  Forecaster cold(guarded_model());
  EXPECT_TRUE(cold.observe(std::vector{0.0}).is_cold);
}

TEST(GuardedForecaster, AJumpIsADriftOfTheLevel) {
  Random random(6);
  Forecaster f = learned(random, 0.1);
  ForecastReport report;
  for (int t = kGuardedRows; t < kGuardedRows + 3; ++t)
    report = f.observe(std::vector{daily(t) + 8 + 0.1 * random.normal()});
  EXPECT_EQ(report.drift, DriftKind::level);
  EXPECT_GE(f.alarms(), 1U);
}

}  // namespace
}  // namespace elastane
