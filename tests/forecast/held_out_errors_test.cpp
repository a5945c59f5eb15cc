// elastane/forecast/held_out_errors.cpp
#include "elastane/forecast/held_out_errors.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/forecast/small_forecaster.h"

namespace elastane {
namespace {

TEST(HeldOutErrors, AreThoseOfTheForecastsThatTheRowsWereFor) {
  Forecaster forecaster(small_forecaster(), {.warm = true});
  HeldOutErrors errors(forecaster.sizes());
  std::vector<std::vector<double>> forecasts;
  std::vector<double> values;
  double mixed = 0, persistence = 0, n = 0;
  for (int t = 50; t < 90; ++t) {
    const double label = small_row(t)[0];
    for (std::size_t h = 1; h <= 3 && h <= forecasts.size(); ++h, ++n) {
      mixed += std::pow(forecasts[forecasts.size() - h][h - 1] - label, 2);
      persistence += std::pow(values[values.size() - h] - label, 2);
    }
    if (!forecasts.empty()) errors.add(forecaster, static_cast<std::uint64_t>(t), small_row(t));
    forecaster.observe(small_row(t));
    if (t == 50) forecaster.forget_rows(51), forecasts.clear(), values.clear(), mixed = persistence = n = 0;
    if (t == 50) continue;
    forecasts.emplace_back(forecaster.forecast().begin(), forecaster.forecast().end());
    values.push_back(label);
  }
  EXPECT_NEAR(errors.mixed(), mixed / n, 1e-12);
  // the member is the last value within the observed range, which these rows do not leave
  EXPECT_NEAR(errors.persistence(), persistence / n, 1e-12);
  EXPECT_GT(errors.frozen(), 0);
}

TEST(HeldOutErrors, NoiseIsTheDeviationOfTheFrozenForecast) {
  Forecaster forecaster(small_forecaster(), {.warm = true});
  HeldOutErrors errors(forecaster.sizes());
  std::vector<float> noise = {7, 7, 7};
  errors.set_noise(noise);
  EXPECT_EQ(noise, (std::vector<float>{7, 7, 7}));  // no label yet
  for (int t = 50; t < 90; ++t) {
    errors.add(forecaster, static_cast<std::uint64_t>(t), small_row(t));
    forecaster.observe(small_row(t));
  }
  errors.set_noise(noise);
  for (const float sigma : noise) EXPECT_TRUE(sigma > 0 && sigma < 7);
}

TEST(HeldOutErrors, ARowAfterAGapHasNoForecast) {
  Forecaster forecaster(small_forecaster(), {.warm = true});
  HeldOutErrors errors(forecaster.sizes());
  errors.add(forecaster, 60, small_row(60));
  EXPECT_EQ(errors.mixed(), 0);
}

}  // namespace
}  // namespace elastane
