// elastane/forecast/forecast_score.cpp
#include "elastane/forecast/forecast_score.h"

#include <gtest/gtest.h>

#include <cmath>

#include "elastane/core/base/random.h"

namespace elastane {
namespace {

constexpr int kTargets = 3, kHorizon = 5, kRows = 40;
const std::vector<double> kDeviation = {1.0, 2.0, 0.5};

struct Stream {
  std::vector<std::vector<double>> rows, forecasts;  // [row][target], [row][step][target]
};

Stream draw() {
  Random random(3);
  Stream stream;
  for (int r = 0; r < kRows; ++r) {
    std::vector<double> row(kTargets), forecast(kHorizon * kTargets);
    for (double& x : row) x = random.uniform() < 0.1 ? NAN : random.normal();
    for (double& y : forecast) y = random.normal();
    stream.rows.push_back(row);
    stream.forecasts.push_back(forecast);
  }
  return stream;
}

TEST(ForecastScore, equals_a_loop_over_all_origins_steps_and_targets) {
  const Stream stream = draw();
  ForecastScore score(kTargets, kHorizon, kDeviation);
  for (int r = 0; r < kRows; ++r) {
    score.judge_row(r, stream.rows[r]);
    score.add_forecast(r, stream.forecasts[r]);
  }
  double squares = 0, sizes = 0, first = 0, n = 0, firsts = 0;
  for (int r = 0; r < kRows; ++r) {
    for (int h = 1; h <= kHorizon && r + h < kRows; ++h) {
      for (int i = 0; i < kTargets; ++i) {
        const double error = (stream.rows[r + h][i] - stream.forecasts[r][(h - 1) * kTargets + i]) / kDeviation[i];
        if (std::isnan(error)) continue;
        squares += error * error;
        sizes += std::fabs(error);
        n += 1;
        if (h == 1) first += error * error, firsts += 1;
      }
    }
  }
  EXPECT_EQ(static_cast<double>(score.labels()), n);
  EXPECT_NEAR(score.squared(), squares / n, 1e-12);
  EXPECT_NEAR(score.absolute(), sizes / n, 1e-12);
  EXPECT_NEAR(score.squared_at(1), first / firsts, 1e-12);
}

TEST(ForecastScore, skips_ticks_that_never_came) {
  ForecastScore score(1, 2, std::vector<double>{1.0});
  const double y[] = {1.0, 5.0}, row[] = {4.0};
  score.add_forecast(10, y);
  score.judge_row(12, row);  // 11 never came: only the second step is judged
  EXPECT_EQ(score.labels(), 1U);
  EXPECT_DOUBLE_EQ(score.squared(), 1.0);
}

TEST(ForecastScore, counts_what_lies_within_its_interval) {
  ForecastScore score(1, 1, std::vector<double>{1.0});
  const double y[] = {0.0}, low[] = {-1.0}, high[] = {1.0}, in[] = {0.5}, out[] = {2.0};
  score.add_forecast(0, y, low, high);
  score.judge_row(1, in);
  score.add_forecast(1, y, low, high);
  score.judge_row(2, out);
  EXPECT_DOUBLE_EQ(score.coverage(), 0.5);
}

}  // namespace
}  // namespace elastane
