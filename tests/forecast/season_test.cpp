// elastane/forecast/season.cpp
#include "elastane/forecast/season.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "elastane/core/base/random.h"

namespace elastane {
namespace {

TEST(Season, a_sine_in_the_values_is_found) {
  Dataset data;
  data.names = {"x"};
  data.targets = 1;
  data.series.resize(1);
  data.series[0].channels = 1;
  for (std::size_t r = 0; r < 1000; ++r) {
    data.series[0].values.push_back(std::sin(2 * std::numbers::pi * static_cast<double>(r) / 17));
    data.series[0].ticks.push_back(r);
  }
  EXPECT_EQ(find_season(data, {{800}, {100}, {100}}), 17);
}

TEST(Season, hours_have_a_day) {
  const std::string text = "time,x\n2020-01-01 00:00:00,1\n2020-01-01 01:00:00,2\n2020-01-01 02:00:00,3\n";
  Dataset data = make_dataset(parse_csv(text, "text").value()).value();
  data.series[0].values.resize(500);
  data.series[0].ticks.resize(500);
  EXPECT_EQ(find_season(data, {{400}, {50}, {50}}), 24);
}

TEST(Season, values_show_another_one_beside_the_clock) {
  Dataset data;
  data.names = {"x"};
  data.targets = 1;
  data.grid.step = 300;
  Random random(1);
  data.series.resize(1);
  data.series[0].channels = 1;
  for (std::size_t r = 0; r < 3000; ++r) {
    data.series[0].values.push_back((r % 12 < 3 ? 5.0 : 1.0) + 0.3 * random.normal());
    data.series[0].ticks.push_back(r);
  }
  const DataSplit split{{2400}, {300}, {300}};
  EXPECT_EQ(find_season(data, split), 288);
  const auto others = season_candidates(data, split, 288);
  EXPECT_NE(std::ranges::find(others, 12), others.end());
  for (double& x : data.series[0].values) x = 0;
  EXPECT_TRUE(season_candidates(data, split, 288).empty());
}

TEST(Season, the_spectrum_shows_one_of_a_broken_number_of_rows) {
  Dataset data;
  data.names = {"x"};
  data.targets = 1;
  Random random(2);
  data.series.resize(1);
  data.series[0].channels = 1;
  for (std::size_t r = 0; r < 3000; ++r) {
    const double turn = 2 * std::numbers::pi * static_cast<double>(r);
    data.series[0].values.push_back(3 * std::sin(turn / 24) + std::sin(turn / 6.7) + 0.3 * random.normal());
    data.series[0].ticks.push_back(r);
  }
  const auto others = season_candidates(data, {{2400}, {300}, {300}}, 24);
  // it, or a whole number of rows of which it is a harmonic
  const auto holds = [](double rows) { return std::fabs(rows / std::round(rows / 6.7) - 6.7) < 0.15; };
  EXPECT_TRUE(std::ranges::any_of(others, holds));
  EXPECT_LE(others.size(), 3U);
}

}  // namespace
}  // namespace elastane
