// elastane/io/time_text.cpp; ISO 8601 is tested in cell_test.cpp
#include "elastane/io/time_text.h"

#include <gtest/gtest.h>

#include "elastane/io/table.h"

namespace elastane {
namespace {

const double kMay3 = *parse_time("2024-05-03");

TEST(TimeText, TakesTheOrderThatIsNamed) {
  EXPECT_EQ(parse_time("03/05/2024", DateOrder::day_first), kMay3);
  EXPECT_EQ(parse_time("5/3/2024", DateOrder::month_first), kMay3);
  EXPECT_EQ(parse_time("03-05-24", DateOrder::day_first), kMay3);
  EXPECT_FALSE(parse_time("03/05/2024")) << "either may be the month";
  EXPECT_FALSE(parse_time("13/05/2024", DateOrder::month_first));
}

TEST(TimeText, KnowsTheOrderWhereOnlyOneIsPossible) {
  EXPECT_EQ(parse_time("3.5.2024"), kMay3);
  EXPECT_EQ(parse_time("3-May-2024"), kMay3);
  EXPECT_EQ(parse_time("May 3, 2024"), kMay3);
  EXPECT_EQ(parse_time("5/13/2024"), kMay3 + 10 * 86400);
  EXPECT_EQ(parse_time("2024.05.03"), kMay3);
  EXPECT_EQ(order_shown_by("13/05/2024"), DateOrder::day_first);
  EXPECT_EQ(order_shown_by("05/13/2024 1:00"), DateOrder::month_first);
  EXPECT_EQ(order_shown_by("05/06/2024"), DateOrder::unknown);
  EXPECT_EQ(order_shown_by("2024-05-06"), DateOrder::unknown);
}

TEST(TimeText, TakesClocksOfTwelveHoursAndZones) {
  EXPECT_EQ(parse_time("5/13/2024 1:05 PM"), kMay3 + 10 * 86400 + 13 * 3600 + 300);
  EXPECT_EQ(parse_time("5/13/2024 12:00 am"), kMay3 + 10 * 86400);
  EXPECT_EQ(parse_time("2024-05-03 02:00:00 +02:00"), kMay3);
  EXPECT_EQ(parse_time("2024-05-03 00:00 UTC"), kMay3);
  EXPECT_EQ(parse_clock("18.00.00"), 18 * 3600);
  EXPECT_FALSE(parse_clock("18.5"));
  EXPECT_FALSE(parse_time("5/13/2024 13:05 PM"));
}

TEST(TimeText, NumbersSayTheirUnitByTheirSize) {
  EXPECT_EQ(epoch_unit(1.7e9), 1);
  EXPECT_EQ(epoch_unit(1.7e12), 1e-3);
  EXPECT_EQ(epoch_unit(1.7e15), 1e-6);
  EXPECT_EQ(epoch_unit(1.7e18), 1e-9);
  const Table table = parse_csv("time,x\n1714694400000,1\n1714694460000,2\n", "here").value();
  EXPECT_EQ(table.time, (std::vector<double>{kMay3, kMay3 + 60}));
}

TEST(TimeText, ADateAndAClockMayHaveTwoColumns) {
  const Table table =
      parse_csv("Date;Time;CO\n03/05/2024;18.00.00;2,6\n", "here", {.style = {.order = DateOrder::day_first}}).value();
  EXPECT_EQ(table.time, (std::vector<double>{kMay3 + 18 * 3600}));
  EXPECT_EQ(table.values, (std::vector<double>{2.6}));
}

TEST(TimeText, AnAmbiguousDateIsRefusedWithWhatToDo) {
  const auto table = parse_csv("time,x\n03/05/2024,1\n", "here");
  ASSERT_FALSE(table);
  EXPECT_NE(table.error().find("--time-format day_first"), std::string::npos) << table.error();
}

}  // namespace
}  // namespace elastane
