// lab/series/baselines_smoothing.cpp
#include "lab/series/baselines.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/lab/series/drawn_rows.h"

namespace elastane::series {
namespace {

TEST(Smoothing, without_trend_and_season_is_a_running_mean) {
  const auto method = smoothing({.level = 0.25});
  double level = 3;
  for (const double x : {3.0, 5.0, -1.0, 2.0}) {
    method->follow(x);
    level += 0.25 * (x - level);
  }
  EXPECT_DOUBLE_EQ(forecast_of(*method, 3)[2], level);
}

TEST(Smoothing, learns_a_season) {
  const auto method = smoothing({.level = 0.1, .season = 0.3, .period = 3});
  const double season[] = {1, -2, 5};
  for (int r = 0; r < 300; ++r) method->follow(season[r % 3]);
  const std::vector<double> y = forecast_of(*method, 4);
  for (int h = 0; h < 4; ++h) EXPECT_NEAR(y[h], season[h % 3], 1e-3);
}

}  // namespace
}  // namespace elastane::series
