// Tests of bindings/c/forecasters.cpp: the same numbers as the library's, bit for bit.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "bindings/c/handles.h"

namespace elastane {
namespace {

std::vector<double> season(std::size_t rows) {
  std::vector<double> values(2 * rows);
  for (std::size_t t = 0; t < rows; ++t) {
    values[2 * t] = 5 + std::sin(0.26 * static_cast<double>(t)) + 0.1 * std::sin(7.0 * static_cast<double>(t));
    values[2 * t + 1] = std::cos(0.26 * static_cast<double>(t));
  }
  return values;
}

TEST(CForecaster, FitsLearnsAndContinuesAsTheLibraryDoes) {
  const std::vector<double> values = season(500);
  elastane_fit_options fit = ELASTANE_FIT_OPTIONS;
  fit.horizon = 3;
  fit.targets = 1;
  fit.choose = 0;
  elastane_forecaster* forecaster = nullptr;
  ASSERT_EQ(elastane_forecaster_fit(values.data(), 400, 2, &fit, nullptr, &forecaster), ELASTANE_OK)
      << elastane_last_error();
  EXPECT_EQ(elastane_forecaster_targets(forecaster), 1);
  EXPECT_EQ(elastane_forecaster_horizon(forecaster), 3);

  FitOptions options;
  options.horizon = 3;
  options.choose = options.tune_metrics = false;
  const auto data = make_dataset(std::span(values).first(800), {"channel0", "channel1"}, 1).value();
  Forecaster twin(ForecastFitter(options).fit(data).value().model);

  for (std::size_t t = 0; t < 450; ++t) {
    elastane_forecast_report report = ELASTANE_FORECAST_REPORT;
    ASSERT_EQ(elastane_forecaster_observe(forecaster, &values[2 * t], 2, nullptr, &report), ELASTANE_OK);
    EXPECT_EQ(report.labels, twin.observe(std::span(values).subspan(2 * t, 2)).labels);
  }
  const double *mean = nullptr, *upper = nullptr;
  std::size_t n = 0;
  ASSERT_EQ(elastane_forecaster_forecast(forecaster, &mean, nullptr, &upper, &n), ELASTANE_OK);
  ASSERT_EQ(n, twin.forecast().size());
  EXPECT_EQ(std::memcmp(mean, twin.forecast().data(), n * sizeof(double)), 0);
  EXPECT_EQ(std::memcmp(upper, twin.upper().data(), n * sizeof(double)), 0);

  // a fork goes its own way and a snapshot brings it back; many rows at once are rows one by one
  elastane_forecaster* fork = nullptr;
  ASSERT_EQ(elastane_forecaster_clone(forecaster, &fork), ELASTANE_OK);
  std::size_t needed = 0;
  elastane_forecaster_snapshot(forecaster, nullptr, 0, &needed);
  std::vector<std::byte> bytes(needed);
  ASSERT_EQ(elastane_forecaster_snapshot(forecaster, bytes.data(), needed, nullptr), ELASTANE_OK);
  std::vector<double> forecasts(50 * 3);
  ASSERT_EQ(elastane_forecaster_observe_many(fork, &values[900], 50, 2, nullptr, forecasts.data(), nullptr),
            ELASTANE_OK);
  for (std::size_t t = 450; t < 500; ++t) {
    twin.observe(std::span(values).subspan(2 * t, 2));
    EXPECT_EQ(std::memcmp(&forecasts[3 * (t - 450)], twin.forecast().data(), 3 * sizeof(double)), 0) << t;
  }
  ASSERT_EQ(elastane_forecaster_restore(fork, bytes.data(), needed), ELASTANE_OK) << elastane_last_error();
  EXPECT_EQ(elastane_forecaster_rows(fork), 450U);
  bytes[needed / 2] ^= std::byte{4};
  EXPECT_EQ(elastane_forecaster_restore(fork, bytes.data(), needed), ELASTANE_BAD_SNAPSHOT);
  elastane_forecaster_free(fork);
  elastane_forecaster_free(forecaster);
}

TEST(CForecaster, RefusesRowsThatNothingCanBeFittedTo) {
  elastane_forecaster* forecaster = nullptr;
  const double few[4] = {1, 2, 3, 4};
  EXPECT_EQ(elastane_forecaster_fit(few, 4, 1, nullptr, nullptr, &forecaster), ELASTANE_BAD_DATA);
  EXPECT_EQ(forecaster, nullptr);
  EXPECT_NE(std::strlen(elastane_last_error()), 0U);
}

}  // namespace
}  // namespace elastane
