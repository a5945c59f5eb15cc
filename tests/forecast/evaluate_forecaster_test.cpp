// elastane/forecast/evaluate_forecaster.cpp
#include "elastane/forecast/evaluate_forecaster.h"

#include <gtest/gtest.h>

#include <cmath>

#include "elastane/forecast/fitter.h"
#include "tests/forecast/seasonal_rows.h"

namespace elastane {
namespace {

const DataSplit kSplit{{300}, {100}, {100}};

ForecastFit fit(const Dataset& data) {
  return ForecastFitter({.horizon = 2, .split = kSplit, .choose = false}).fit(data).value();
}

TEST(EvaluateForecaster, ErrorsAreThoseOfAStreamOverTheTestRows) {
  const Dataset data = seasonal_rows(500);
  const ForecastFit fitted = fit(data);
  const ForecastEvaluation score = evaluate_forecaster(fitted.model, data, kSplit).value();
  Forecaster forecaster(fitted.model, {.warm = true});
  const Series& s = data.series.front();
  double sum = 0, n = 0;
  for (std::size_t r = 400; r < 500; ++r) {
    forecaster.observe(s.row(r));
    for (std::size_t h = 1; h <= 2 && r < 498; ++h, ++n) {
      sum += std::pow((s.row(r + h)[0] - forecaster.forecast()[h - 1]) / fitted.model->deviation[0], 2);
    }
  }
  EXPECT_NEAR(score.mse, sum / n, 1e-12);
  EXPECT_EQ(score.rows, 100U);
  EXPECT_GT(score.coverage, 0.6);
  EXPECT_GT(score.depth, 0);
}

TEST(EvaluateForecaster, OptionsApply) {
  const Dataset data = seasonal_rows(500);
  const ForecastFit fitted = fit(data);
  EXPECT_EQ(evaluate_forecaster(fitted.model, data, kSplit, {.adapt = false}).value().depth, 0);
  EXPECT_FALSE(evaluate_forecaster(fitted.model, data, kSplit, {.learning = static_cast<Learning>(9)}));
}

TEST(EvaluateForecaster, ATestWithoutRowsIsRefused) {
  const Dataset data = seasonal_rows(500);
  EXPECT_FALSE(evaluate_forecaster(fit(data).model, data, {{300}, {200}, {100}}));
}

}  // namespace
}  // namespace elastane
