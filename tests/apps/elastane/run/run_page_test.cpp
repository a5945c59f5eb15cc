// apps/elastane/run/run_page.cpp
#include "apps/elastane/run/run_page.h"

#include <gtest/gtest.h>

#include "tests/core/forecast/forecasters.h"

namespace elastane::app {
namespace {

TEST(RunPage, ShowsForecastsAlarmsErrorsAndTimesOfAnyNumberOfRows) {
  ForecastConfig config;
  const auto model = blank_forecast_model(config);
  Forecaster forecaster(model);
  RunPage page;
  for (std::uint64_t row = 1; row <= 10'000; ++row) {
    const std::vector<double> values = {static_cast<double>(row % 7)};
    RowOutcome outcome;
    outcome.row = row;
    outcome.forecaster = &forecaster;
    outcome.values = values;
    outcome.report = forecaster.observe(values);
    if (row == 5'000) outcome.report.drift = DriftKind::season;
    if (row < 9'000 || row % 1'000 == 0) page.add(outcome);
  }
  const std::string html = page.html(*model, "<table>.csv", "10000 rows");
  EXPECT_NE(html.find("drift of the season"), std::string::npos);
  EXPECT_NE(html.find("forecast one row ahead"), std::string::npos);
  EXPECT_EQ(html.find("<table>.csv"), std::string::npos) << "names are escaped";
  EXPECT_LT(html.size(), 2'000'000U);
}

}  // namespace
}  // namespace elastane::app
