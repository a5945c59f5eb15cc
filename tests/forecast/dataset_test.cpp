// elastane/forecast/dataset.cpp
#include "elastane/forecast/dataset.h"

#include <gtest/gtest.h>

#include <cmath>

namespace elastane {
namespace {

Dataset parse(const std::string& text, const ColumnNames& columns = {}) {
  return make_dataset(parse_csv(text, "text").value(), columns, "text").value();
}

TEST(DataSplit, shares_and_rows_say_the_same) {
  const SplitEnds shares = split_ends({{0.2}, {0.05}, {0.75}}, 1000), rows = split_ends({{200}, {50}, {750}}, 1000);
  EXPECT_EQ(shares.learn, rows.learn);
  EXPECT_EQ(shares.held_out, 250U);
  EXPECT_EQ(shares.held_out, rows.held_out);
  EXPECT_EQ(shares.test, rows.test);
}

TEST(DataSplit, parts_end_where_the_rows_end) {
  const SplitEnds ends = split_ends({{80}, {50}, {50}}, 100);
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

TEST(Dataset, an_array_is_one_series_of_evenly_spaced_rows) {
  const std::vector<double> values = {1, 2, 3, 4, 5, 6};
  const Dataset data = make_dataset(values, {"a", "b"}, 1).value();
  EXPECT_EQ(data.targets, 1U);
  EXPECT_EQ(data.rows(), 3U);
  EXPECT_EQ(data.series[0].ticks, (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_EQ(data.series[0].row(1)[0], 3);
  EXPECT_FALSE(make_dataset(values, {"a", "b", "c", "d"}));
  EXPECT_FALSE(make_dataset(values, {}));
  EXPECT_FALSE(make_dataset(values, {"a", "b"}, 3));
}

TEST(Dataset, inputs_known_ahead_are_later_rows_or_columns_of_their_own) {
  const Dataset data = parse("x,y,z,z+1\n1,10,5,50\n2,20,6,60\n3,30,7,70\n", {{"x"}, {"y", "z", "z+1"}});
  const Dataset known = with_known_future(data, {"z", "y"}, 2).value();
  EXPECT_EQ(known.names, (std::vector<std::string>{"x", "z", "z+1", "z+2", "y", "y+1", "y+2"}));
  EXPECT_EQ(known.known, 6U);
  const auto first = known.series[0].row(0), last = known.series[0].row(2);
  EXPECT_EQ(std::vector<double>(first.begin(), first.end()), (std::vector<double>{1, 5, 50, 7, 10, 20, 30}));
  EXPECT_TRUE(std::isnan(last[3]) && std::isnan(last[5]));  // not known
  EXPECT_FALSE(with_known_future(data, {"x"}, 1));          // a target is not known ahead
  EXPECT_FALSE(with_known_future(data, {"w"}, 1));
}

TEST(Dataset, rows_ahead_are_counted_by_their_times) {
  const Dataset data = parse(
      "time,x,z\n2020-01-01 00:00:00,1,1\n2020-01-01 01:00:00,2,2\n2020-01-01 03:00:00,3,3\n"
      "2020-01-01 04:00:00,4,4\n",
      {{"x"}, {"z"}});
  const Dataset known = with_known_future(data, {"z"}, 2).value();
  const auto second = known.series[0].row(1);
  EXPECT_TRUE(std::isnan(second[2]));
  EXPECT_EQ(second[3], 3);
}

}  // namespace
}  // namespace elastane
