// Tests of elastane/io/cell.cpp: what a cell's text means.
#include "elastane/io/cell.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace elastane {
namespace {

double number(std::string_view text) {
  const TableCell cell = read_cell(text);
  EXPECT_EQ(cell.kind, TableCellKind::number) << text;
  return cell.value;
}

TEST(Cell, IsANumberWithADecimalPoint) {
  EXPECT_EQ(number("1"), 1);
  EXPECT_EQ(number("-1.5e3"), -1500);
  EXPECT_EQ(number("+.5"), 0.5);
  EXPECT_EQ(number(" 2. \t"), 2);
  EXPECT_EQ(number("0.1"), 0.1);
  EXPECT_TRUE(std::signbit(number("-0")));
  EXPECT_EQ(number("9007199254740993"), 9007199254740992.0);
}

TEST(Cell, OfMissingWordsIsMissing) {
  for (const char* text :
       {"", " ", "\t", "NA", "na", "N/A", "NaN", "nan", "-nan", "null", "NULL", "None", "none", "?"}) {
    EXPECT_EQ(read_cell(text).kind, TableCellKind::missing) << text;
    EXPECT_TRUE(std::isnan(read_cell(text).value)) << text;
  }
}

TEST(Cell, BeyondADoubleIsInfiniteOrZero) {
  for (const char* text : {"inf", "-inf", "+inf", "Infinity", "-INFINITY", "1e309", "-1e309", "1e999999999999999999999",
                           "100000e304", "0.0001e320"}) {
    EXPECT_EQ(read_cell(text).kind, TableCellKind::infinite) << text;
  }
  for (const char* text : {"1e-400", "-1e-400", "1e-999999999999999999999", "0.00001e-330"}) {
    EXPECT_EQ(number(text), 0) << text;
  }
  EXPECT_EQ(read_cell(std::string(400, '9')).kind, TableCellKind::infinite);
  EXPECT_EQ(number("0." + std::string(400, '0') + "1"), 0);
  EXPECT_EQ(number("0." + std::string(400, '0') + "1e401"), 1);
  EXPECT_EQ(number("5e-324"), 5e-324);
}

TEST(Cell, MayHaveADecimalCommaOrSeparatedThousands) {
  EXPECT_EQ(number("1,234.5"), 1234.5);
  EXPECT_EQ(number("-1,234,567"), -1234567);
  EXPECT_EQ(number("1'234.5"), 1234.5);
  EXPECT_EQ(number("1 234"), 1234);
  const CellStyle comma{.decimal_comma = true};
  EXPECT_EQ(read_cell("12,5", comma).value, 12.5);
  EXPECT_EQ(read_cell("-1.234,5", comma).value, -1234.5);
  EXPECT_EQ(read_cell("1.234", comma).value, 1234);
  EXPECT_EQ(read_cell("7", comma).value, 7);
  EXPECT_EQ(read_cell("1,2,3", comma).kind, TableCellKind::text);
  EXPECT_EQ(read_cell("12,34").kind, TableCellKind::text);
}

TEST(Cell, OfAnythingElseIsText) {
  for (const char* text :
       {"abc", "1,5", "1.5.2", "1 2", "0x10", "1e", "e5", "--1", "+-1", "-", "+", "1_000", "true", "nanx"}) {
    EXPECT_EQ(read_cell(text).kind, TableCellKind::text) << text;
  }
  EXPECT_EQ(read_cell(std::string_view("1\0", 2)).kind, TableCellKind::text);
}

TEST(Time, OfADateCountsSecondsSince1970) {
  EXPECT_EQ(parse_time("1970-01-01"), 0);
  EXPECT_EQ(parse_time("1970-02"), 31 * 86400.0);
  EXPECT_EQ(parse_time("2024-02-29"), 1709164800.0);
  EXPECT_EQ(parse_time("1969-12-31 23:59"), -60);
  EXPECT_EQ(parse_time("1970/1/2 0:00"), 86400);
  EXPECT_EQ(parse_time("1970/01/02"), 86400);
  EXPECT_EQ(parse_time("2024-05-01T12:30:15"), 1714566615.0);
  EXPECT_EQ(parse_time("2024-05-01t12:30:15.25z"), 1714566615.25);
  EXPECT_EQ(read_cell(" 2024-05-01 ").kind, TableCellKind::time);
}

TEST(Time, KnowsZones) {
  const double utc = *parse_time("2024-05-01T12:30:00Z");
  EXPECT_EQ(parse_time("2024-05-01T14:30:00+02:00"), utc);
  EXPECT_EQ(parse_time("2024-05-01T14:30+0200"), utc);
  EXPECT_EQ(parse_time("2024-05-01 14:30:00+02"), utc);
  EXPECT_EQ(parse_time("2024-04-30T23:00:00-13:30"), utc);
}

TEST(Time, ThatDoesNotExistIsRefused) {
  for (const char* text : {"",
                           "2024",
                           "2024-",
                           "2024-13",
                           "2024-00",
                           "2023-02-29",
                           "2024-04-31",
                           "2024-5-1",
                           "2024-05-01T",
                           "2024-05-01T12",
                           "2024-05-01T12:60",
                           "2024-05-01T12:30:61",
                           "2024-05-01T12:30:",
                           "2024-05-01T12:30:00.",
                           "2024-05-01T12:30:00+",
                           "2024-05-01T12:30:00+2",
                           "2024-05-01T12:30:00+02:0",
                           "2024-05-01T12:30:00Zx",
                           "2024/13/01",
                           "05/01/2024",
                           "20240501",
                           "2024-05-01x"}) {
    EXPECT_FALSE(parse_time(text)) << text;
  }
}

}  // namespace
}  // namespace elastane
