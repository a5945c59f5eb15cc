// elastane/forecast/season.cpp
#include "elastane/forecast/season.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

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

}  // namespace
}  // namespace elastane
