// elastane/forecast/fitter.cpp
#include "elastane/forecast/fitter.h"

#include <gtest/gtest.h>

#include "elastane/core/forecast/forecast_state.h"
#include "elastane/core/forecast/forecaster.h"
#include "tests/forecast/seasonal_rows.h"

namespace elastane {
namespace {

const DataSplit kSplit{{300}, {100}, {100}};

FitOptions quick() { return {.horizon = 2, .split = kSplit, .tune_metrics = false}; }

TEST(Fitter, TheModelBeatsTheLastValueOnHeldOutRows) {
  const ForecastFit fit = ForecastFitter(quick()).fit(seasonal_rows(500)).value();
  EXPECT_EQ(fit.learned, 300U);
  EXPECT_EQ(fit.held_out, 100U);
  EXPECT_LT(fit.held_out_squared, 0.5 * fit.held_out_persistence);
  EXPECT_EQ(fit.model->config.horizon, 2);
  EXPECT_EQ(fit.trials.front().what, "defaults");
  const Forecaster warm(fit.model, {.warm = true});
  EXPECT_EQ(warm.rows(), 400U);
}

// the mixture must not judge the frozen read-out by the zeros that stood in its place while it was learned
TEST(Fitter, AFrozenReadOutIsJudgedByItsOwnErrors) {
  const ForecastFit fit = ForecastFitter(quick()).fit(seasonal_rows(500)).value();
  const Forecaster warm(fit.model, {.warm = true});
  const ForecastSizes& sizes = warm.sizes();
  const auto square = [&](int member) {
    return warm.view().common[static_cast<std::size_t>((member * sizes.members + member) * sizes.steps)];
  };
  EXPECT_LT(square(kFrozenMember), 1.5 * square(kStandingMembers));
  EXPECT_LT(square(kFrozenMember), 0.5 * square(0)) << "the last value";
}

TEST(Fitter, NothingIsRandomAndTestRowsAreNotUsed) {
  const Dataset data = seasonal_rows(500);
  Dataset other = data;
  for (std::size_t i = 2 * 400; i < other.series[0].values.size(); ++i) other.series[0].values[i] += 7;
  const ForecastFitter fitter(quick());
  EXPECT_EQ(fitter.fit(data).value().model->start, fitter.fit(other).value().model->start);
}

TEST(Fitter, ATableIsFittedByItsColumns) {
  std::string text = "noise,x\n";
  for (int r = 0; r < 200; ++r) text += std::to_string(r % 7) + "," + std::to_string(r % 5) + "\n";
  const Table table = parse_csv(text, "text").value();
  const ForecastFitter fitter({.split = {{100}, {50}, {50}}, .choose = false});
  EXPECT_EQ(fitter.fit(table, {.targets = {"x"}}).value().model->names, (std::vector<std::string>{"x"}));
  EXPECT_FALSE(fitter.fit(table, {.targets = {"y"}}));
}

TEST(Fitter, TooFewRowsAreRefused) {
  const auto refusal = [](const Dataset& data, const FitOptions& options) {
    const auto fit = ForecastFitter(options).fit(data);
    return fit ? std::string() : fit.error();
  };
  EXPECT_NE(refusal(seasonal_rows(30), quick()).find("at least 32 rows to learn from"), std::string::npos);
  EXPECT_NE(refusal(seasonal_rows(303), quick()).find("at least 8 held-out rows"), std::string::npos);
  Dataset empty = seasonal_rows(500);
  for (std::size_t i = 0; i < empty.series[0].values.size(); i += 2) empty.series[0].values[i] = NAN;
  EXPECT_NE(refusal(empty, quick()).find("rows with a value of a target"), std::string::npos);
  FitOptions endless = quick();
  endless.horizon = 1'000'000;
  EXPECT_NE(refusal(seasonal_rows(500), endless), "");
}

// a season of 12 rows that is three rows late from row `late` on
Dataset shifted_rows(std::size_t rows, std::size_t late) {
  Random random(8);
  std::vector<double> values;
  double mood = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    const double hour = static_cast<double>(r) - (r >= late ? 3 : 0);
    mood = 0.6 * mood + 0.2 * random.normal();
    values.push_back(2 * std::sin(hour * 0.5235987755982988) + mood);
  }
  return make_dataset(values, {"x"}, 1).value();
}

TEST(Fitter, AReadOutWithoutAClockFollowsASeasonThatMoves) {
  const Dataset data = shifted_rows(2'400, 1'500);
  FitOptions options{.horizon = 1, .split = {{1'200}, {200}, {1'000}}, .tune_metrics = false};
  const ForecastFit fit = ForecastFitter(options).fit(data).value();
  ASSERT_EQ(fit.trials.back().what, "a read-out without a clock");
  ASSERT_TRUE(fit.trials.back().taken);
  EXPECT_EQ(fit.model->config.clockless.lags.size(), 48U) << "four seasons";
  Forecaster forecaster(fit.model, {.warm = true});
  const auto error_of = [&](std::size_t from, std::size_t to) {
    double sum = 0;
    for (std::size_t r = from; r < to; ++r) {
      const double x = data.series[0].row(r)[0];
      sum += (forecaster.forecast()[0] - x) * (forecaster.forecast()[0] - x);
      forecaster.observe(data.series[0].row(r));
    }
    return sum / static_cast<double>(to - from);
  };
  const double before = error_of(1'400, 1'500);
  error_of(1'500, 1'524);
  EXPECT_LT(error_of(1'524, 1'624), 1.6 * before);
}

TEST(Fitter, WhereASeasonIsTooLongForItNoReadOutIsWithoutAClock) {
  FitOptions options = quick();
  options.periods = {200};
  EXPECT_TRUE(ForecastFitter(options).fit(seasonal_rows(500)).value().model->config.clockless.lags.empty());
}

// a target that follows an input of the same row, which nothing announces
Dataset driven_rows(std::size_t rows) {
  Random random(5);
  std::vector<double> values;
  for (std::size_t r = 0; r < rows; ++r) {
    const double input = random.uniform() < 0.2 ? 1 : 0;
    values.insert(values.end(), {3 * input + 0.2 * random.normal(), input});
  }
  return make_dataset(values, {"x", "input"}, 1).value();
}

TEST(Fitter, InputsKnownAheadExplainTheRowsAhead) {
  const Dataset data = driven_rows(500), known = with_known_future(data, {"input"}, 2).value();
  EXPECT_EQ(known.names, (std::vector<std::string>{"x", "input", "input+1", "input+2"}));
  const ForecastFit without = ForecastFitter(quick()).fit(data).value(),
                    with = ForecastFitter(quick()).fit(known).value();
  EXPECT_LT(with.held_out_squared, 0.15 * without.held_out_squared);
}

TEST(Fitter, TheCalendarExplainsWeekdays) {
  Random random(6);
  std::vector<double> values;
  for (int r = 0; r < 600; ++r) values.push_back((r / 4 % 7 >= 5 ? 2 : 0) + 0.2 * random.normal());
  const Dataset data = make_dataset(values, {"x"}, 1).value();
  FitOptions options{.horizon = 8, .split = {{400}, {100}, {100}}, .choose = false, .periods = {4}};
  const double without = ForecastFitter(options).fit(data).value().held_out_frozen;
  options.calendar = {28};
  const double with = ForecastFitter(options).fit(data).value().held_out_frozen;
  EXPECT_LT(with, 0.95 * without);
  options.calendar = {1};
  EXPECT_FALSE(ForecastFitter(options).fit(data));
}

TEST(Fitter, ProgressRunsToOne) {
  double last = 0;
  FitOptions options = quick();
  options.progress = [&](double share, const std::string&) {
    EXPECT_GE(share, 0);
    last = share;
  };
  ASSERT_TRUE(ForecastFitter(options).fit(seasonal_rows(500)));
  EXPECT_EQ(last, 1);
}

}  // namespace
}  // namespace elastane
