// lab/series/series.h, season.cpp
#include "lab/series/series.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lab/series/fit.h"

namespace elastane::series {
namespace {

Dataset parse(const std::string& text, const ColumnNames& columns = {}) {
  return make_dataset(parse_csv(text, "text").value(), columns, "text");
}

TEST(Split, shares_and_rows_say_the_same) {
  const Ends shares = ends_of({{0.2}, {0.05}, {0.75}}, 1000), rows = ends_of({{200}, {50}, {750}}, 1000);
  EXPECT_EQ(shares.learn, rows.learn);
  EXPECT_EQ(shares.held_out, 250U);
  EXPECT_EQ(shares.held_out, rows.held_out);
  EXPECT_EQ(shares.test, rows.test);
}

TEST(Split, parts_end_where_the_rows_end) {
  const Ends ends = ends_of({{80}, {50}, {50}}, 100);
  EXPECT_EQ(ends.learn, 80U);
  EXPECT_EQ(ends.held_out, 100U);
  EXPECT_EQ(ends.test, 100U);
}

TEST(Dataset, rows_that_never_came_leave_their_ticks_empty) {
  const Dataset data = parse(
      "time,x\n2020-01-01 00:00:00,1\n2020-01-01 01:00:00,2\n2020-01-01 02:00:00,3\n"
      "2020-01-01 05:00:00,4\n");
  ASSERT_EQ(data.series.size(), 1U);
  const std::vector<std::uint64_t>& ticks = data.series[0].ticks;
  EXPECT_EQ(ticks, (std::vector<std::uint64_t>{0, 1, 2, 5}));
}

TEST(Dataset, a_row_whose_time_is_not_later_is_left_out) {
  const Dataset data = parse(
      "time,x\n2020-01-01 00:00:00,1\n2020-01-01 01:00:00,2\n2020-01-01 01:00:00,9\n"
      "2020-01-01 02:00:00,3\n");
  EXPECT_EQ(data.left_out, 1U);
  EXPECT_EQ(data.first_left_out, 3U);
  EXPECT_EQ(data.series[0].values, (std::vector<double>{1, 2, 3}));
}

TEST(Dataset, long_form_has_one_series_for_every_id) {
  const Dataset data = parse("unique_id,x\na,1\nb,10\na,2\nb,20\nb,30\n");
  ASSERT_EQ(data.series.size(), 2U);
  EXPECT_EQ(data.series[0].values, (std::vector<double>{1, 2}));
  EXPECT_EQ(data.series[1].values, (std::vector<double>{10, 20, 30}));
}

TEST(Dataset, targets_come_first_and_a_missing_column_is_named) {
  const Dataset data = parse("a,b,c\n1,2,3\n4,5,6\n", {{"c"}, {"a"}});
  EXPECT_EQ(data.names, (std::vector<std::string>{"c", "a"}));
  EXPECT_EQ(data.targets, 1U);
  EXPECT_THROW(parse("a,b\n1,2\n", {{"z"}, {}}), std::runtime_error);
  EXPECT_THROW(parse("a,b\n1,2\n", {{"a"}, {"a"}}), std::runtime_error);
}

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
  Dataset data = parse("time,x\n2020-01-01 00:00:00,1\n2020-01-01 01:00:00,2\n2020-01-01 02:00:00,3\n");
  data.series[0].values.resize(500);
  data.series[0].ticks.resize(500);
  EXPECT_EQ(find_season(data, {{400}, {50}, {50}}), 24);
}

}  // namespace
}  // namespace elastane::series
