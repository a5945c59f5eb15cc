// apps/elastane/fleet/log_check.cpp
#include "apps/elastane/fleet/log_check.h"

#include <gtest/gtest.h>

namespace elastane::app {
namespace {

serve::ForecastRecord record(std::uint64_t number, double value) {
  return {.number = number, .forecast = {value}, .lower = {0}, .upper = {9}, .report = R"(,"depth":0,"drift":false)"};
}

LogCheck expecting(int rows) {
  LogCheck check(1);
  for (int i = 1; i <= rows; ++i) {
    check.expect_line(R"({"row":)" + std::to_string(100 + i) + R"(,"id":"a","forecast":[[)" + std::to_string(i) +
                      R"(]],"lower":[[0]],"upper":[[9]],"depth":0,"micros":)" + std::to_string(i) +
                      R"(.5,"drift":false})");
  }
  return check;
}

TEST(LogCheck, TheSameForecastsInOrderAreClean) {
  LogCheck check = expecting(3);
  check.found({"a", {record(1, 1), record(2, 2)}});
  check.found({"a", {record(3, 3)}});
  const auto faults = check.finish();
  EXPECT_TRUE(faults.is_clean()) << faults.first_difference;
  EXPECT_EQ(faults.rows, 3U);
}

TEST(LogCheck, EachKindOfFaultIsCounted) {
  LogCheck check = expecting(4);
  check.found({"a", {record(1, 1), record(3, 3), record(2, 2)}});  // 2 comes late
  check.found({"a", {record(3, 3)}});                              // 3 comes again
  check.found({"a", {record(9, 1)}});                              // was never sent; 4 is lost
  const auto faults = check.finish();
  EXPECT_EQ(faults.out_of_order, 1U);
  EXPECT_EQ(faults.doubled, 1U);
  EXPECT_EQ(faults.different, 1U);
  EXPECT_EQ(faults.lost, 1U);
  LogCheck other = expecting(1);
  other.found({"a", {record(1, 1.0000000000000002)}});
  EXPECT_EQ(other.finish().different, 1U);
}

}  // namespace
}  // namespace elastane::app
