// elastane/forecast/forecast_method.cpp
#include "elastane/forecast/forecast_method.h"

#include <gtest/gtest.h>

#include "tests/forecast/small_forecaster.h"

namespace elastane {
namespace {

Series rows(int count) {
  Series series{.id = "", .channels = 2, .values = {}, .ticks = {}};
  for (int t = 0; t < count; ++t) {
    for (const double x : small_row(t)) series.values.push_back(x);
    series.ticks.push_back(static_cast<std::uint64_t>(50 + t));
  }
  return series;
}

TEST(ForecastMethod, CountsForecastsWhoseHorizonIsWhole) {
  EXPECT_EQ(whole_forecasts(0, 10, 30, 5).origins, 25U);
  EXPECT_EQ(whole_forecasts(0, 10, 14, 5).origins, 14U);  // none is whole: all count
}

TEST(ForecastMethod, AForecasterContinuesWhereFittingEnded) {
  const auto method = forecaster_method(small_forecaster(), {});
  Forecaster forecaster(small_forecaster(), {.warm = true});
  const Series series = rows(20);
  std::vector<double> micros;
  std::size_t issued = 0;
  run_method(*method, series, whole_forecasts(0, 5, 20, 3),
             {.micros = &micros, .issued = [&](std::uint64_t, std::span<const double>) { issued += 1; }});
  for (std::size_t r = 0; r < 20; ++r) forecaster.observe_at(series.ticks[r], series.row(r));
  EXPECT_EQ(method->forecast()[1], forecaster.forecast()[1]);
  EXPECT_EQ(method->clone()->upper()[1], forecaster.upper()[1]);
  EXPECT_EQ(micros.size(), 15U);
  EXPECT_EQ(issued, 12U);
  EXPECT_GT(method->counts().depth, 0);
}

TEST(ForecastMethod, AnotherSeriesForgetsTheRowsOfTheFirst) {
  const auto method = forecaster_method(small_forecaster(), {});
  run_method(*method, rows(20), whole_forecasts(0, 0, 20, 3));
  const auto other = forecaster_method(small_forecaster(), {.adapt = false});
  other->start_series(0, 50);
  const auto fresh = forecaster_method(small_forecaster(), {.adapt = false});
  fresh->start_series(0, 50);
  run_method(*other, rows(1), whole_forecasts(0, 0, 1, 3));
  run_method(*fresh, rows(1), whole_forecasts(0, 0, 1, 3));
  EXPECT_EQ(other->forecast()[0], fresh->forecast()[0]);
}

TEST(ForecastMethod, SeriesHaveTheirOwnUnitsOrTheModels) {
  ForecastModel model = *small_forecaster();
  EXPECT_EQ(series_units(model).size(), 1U);
  EXPECT_EQ(series_units(model)[0].mean, model.mean);
  model.units = {{"a", {1, 2}, {3, 4}}, {"b", {5, 6}, {7, 8}}};
  EXPECT_EQ(series_units(model)[1].deviation, (std::vector<double>{7, 8}));
}

}  // namespace
}  // namespace elastane
