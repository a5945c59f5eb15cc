// lab/series/baselines.cpp
#include "lab/series/baselines.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/lab/series/drawn_rows.h"

namespace elastane::series {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

TEST(Naive, repeats_the_last_value_or_the_last_season) {
  const auto last = persistence(), season = seasonal_naive(3);
  for (const double x : {1.0, 2.0, 3.0, 4.0, kMissing}) {
    last->follow(x);
    season->follow(x);
  }
  EXPECT_EQ(forecast_of(*last, 2), (std::vector<double>{4, 4}));
  // rows 2, 3, 4; the last is missing and stays what it was a season before
  EXPECT_EQ(forecast_of(*season, 4), (std::vector<double>{3, 4, 2, 3}));
}

TEST(InUnits, covers_what_it_should_and_keeps_its_state_when_cloned) {
  const auto x = draw(3000, 1);
  std::vector<std::unique_ptr<Univariate>> one;
  one.push_back(persistence());
  const auto method = in_units(each_target(std::move(one), 2), 1, 2, {{"", {10}, {3}}});
  ForecastScore score(1, 2, std::vector<double>{3.0});
  std::unique_ptr<ForecastMethod> copy;
  for (std::uint64_t r = 0; r < x.size(); ++r) {
    const double row[] = {10 + 3 * x[r][0]};
    score.judge_row(r, row);
    method->observe(r, row);
    score.add_forecast(r, method->forecast(), method->lower(), method->upper());
    EXPECT_NEAR(method->forecast()[1], row[0], 1e-12);
    if (copy) copy->observe(r, row);
    if (r == 1000) copy = method->clone();
  }
  EXPECT_NEAR(score.coverage(), 0.9, 0.01);
  EXPECT_EQ(copy->lower()[1], method->lower()[1]);
}

}  // namespace
}  // namespace elastane::series
