// elastane/forecast/held_out_tuning.cpp
#include "elastane/forecast/held_out_tuning.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/forecast/seasonal_rows.h"

namespace elastane {
namespace {

TEST(Tuning, every_metric_is_tried_equally_often_and_one_setting_is_taken) {
  const ForecastFit fitted =
      ForecastFitter({.horizon = 2, .split = {{300}, {100}, {100}}}).fit(seasonal_rows(500)).value();
  std::map<std::string, int> tried, taken;
  for (const FitTrial& trial : fitted.trials) {
    const std::string metric = trial.what.substr(0, trial.what.find(','));
    tried[metric] += 1;
    taken[metric] += trial.taken ? 1 : 0;
  }
  for (const char* metric : {"euclidean", "exact", "latent_covariance"}) {
    EXPECT_EQ(tried[metric], tried["exact"]);
    EXPECT_EQ(taken[metric], 1) << metric;
  }
}

TEST(Tuning, a_price_costs_little_accuracy) {
  const Dataset data = seasonal_rows(500);
  const DataSplit split{{300}, {100}, {100}};
  const ForecastFit fit = ForecastFitter({.split = split, .tune_metrics = false}).fit(data).value();
  const HeldOutTuning tuning{data, split, *fit.model, [](const std::string&) {}};
  const ForecastConfig& config = fit.model->config;
  const double price = choose_price(tuning, config), free = held_out_error(tuning, config, {});
  const ForecasterOptions gated{.gate = {.kind = Gate::gain, .price = price}};
  EXPECT_GE(price, 0);
  if (price > 0) {
    EXPECT_LE(held_out_error(tuning, config, gated), 1.01 * free);
  }
}

}  // namespace
}  // namespace elastane
