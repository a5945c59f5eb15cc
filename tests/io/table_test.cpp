// Tests of elastane/io/table.cpp: whole files, in every format.
#include "elastane/io/table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "elastane/core/base/random.h"
#include "tests/io/folder.h"

namespace elastane {
namespace {

using Values = std::vector<double>;
using Names = std::vector<std::string>;

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

TEST(Table, OfSeparatedValuesIsReadWhole) {
  const Table table = parse_csv("time,a,b\r\n0,1,2\r\n1,3,inf\r\n\r\n2,,6", "here").value();
  EXPECT_EQ(table.columns, (Names{"a", "b"}));
  EXPECT_EQ(table.rows, 3U);
  EXPECT_EQ(table.time, (Values{0, 1, 2}));
  EXPECT_EQ(table.time_column, "time");
  EXPECT_EQ(table.row(0)[1], 2);
  EXPECT_TRUE(std::isnan(table.row(1)[1]));
  EXPECT_TRUE(std::isnan(table.row(2)[0]));
  EXPECT_EQ(table.row(2)[1], 6);
  EXPECT_EQ(table.infinite, 1U);
  EXPECT_EQ(table.unread, 0U);
  EXPECT_TRUE(table.series.empty());
  EXPECT_TRUE(table.series_of.empty());
}

TEST(Table, InLongFormKnowsItsSeries) {
  const Table table = parse_csv("unique_id,ds,y\nb,1,1\nb,2,2\na,1,3\nb,3,4\n", "here").value();
  EXPECT_EQ(table.series, (Names{"b", "a"}));
  EXPECT_EQ(table.series_of, (std::vector<int>{0, 0, 1, 0}));
  EXPECT_EQ(table.values, (Values{1, 2, 3, 4}));
  EXPECT_EQ(first_row_not_later(table), std::nullopt);
}

TEST(Table, SaysWhereTimeDoesNotIncrease) {
  EXPECT_EQ(first_row_not_later(parse_csv("t,y\n1,0\n2,0\n2,0\n", "").value()), 2U);
  EXPECT_EQ(first_row_not_later(parse_csv("t,y\n1,0\n,0\n2,0\n", "").value()), 1U);
  EXPECT_EQ(first_row_not_later(parse_csv("t,y\n-5,0\n2,0\n1,0\n", "").value()), 2U);
  EXPECT_EQ(first_row_not_later(parse_csv("unique_id,t,y\na,1,0\nb,1,0\na,1,0\n", "").value()), 2U);
  EXPECT_EQ(first_row_not_later(parse_csv("x,y\n1,0\n1,0\n", "").value()), std::nullopt);
}

TEST(Table, ComesBackAsItWasWritten) {
  Random random(3);
  std::string csv = "a;b;c\n", json;
  Values values;
  for (int r = 0; r < 500; ++r) {
    char line[200], object[200];
    const double a = random.normal(), b = 1e20 * random.normal(), c = 1e-300 * random.normal();
    values.insert(values.end(), {a, b, c});
    std::snprintf(line, sizeof(line), "%.17g;%.17g;%.17g\n", a, b, c);
    std::snprintf(object, sizeof(object), "{\"a\":%.17g,\"b\":%.17g,\"c\":%.17g}\n", a, b, c);
    csv += line, json += object;
  }
  EXPECT_EQ(parse_csv(csv, "").value().values, values);
  EXPECT_EQ(parse_jsonl(json, "").value().values, values);
}

TEST(Table, ThatIsInvalidIsRefused) {
  for (const char* text : {"", "\n\n", "a,b\n", "\xEF\xBB\xBF"}) {
    EXPECT_EQ(parse_csv(text, "x.csv").error(), "[table] x.csv: expected rows of numbers, found none") << text;
  }
  EXPECT_TRUE(contains(parse_csv("time\n1\n", "").error(), "expected a column of numbers"));
  EXPECT_TRUE(contains(parse_csv("\xFF\xFE"
                                 "a",
                                 "")
                           .error(),
                       "found UTF-16"));
  EXPECT_TRUE(
      contains(parse_csv("a\n1\nb\n2\n", "x.csv").error(), "x.csv, line 3, column a: expected a number, found b"));
  EXPECT_TRUE(contains(parse_csv("unique_id,a\n\"x,1\n", "").error(), "found the end"));
  EXPECT_EQ(parse_csv("a\n1\nb\n2\n", "", {.strict = false}).value().unread, 1U);
}

TEST(Table, ThatAsksForMoreThanItsSizeIsWorthIsRefused) {
  // eight kilobytes per row, for three bytes of file
  std::string wide = "{";
  for (int i = 0; i < 1000; ++i) wide += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":1";
  wide += "}\n";
  EXPECT_TRUE(parse_jsonl(wide + "{}\n", ""));
  for (int i = 0; i < 3000; ++i) wide += "{}\n";
  EXPECT_TRUE(contains(parse_jsonl(wide, "").error(), "values in a file of this size"))
      << parse_jsonl(wide, "").error();
}

TEST(Table, IsChosenByItsExtension) {
  const Folder folder;
  for (const char* name : {"a.csv", "a.TSV", "a.txt"}) {
    write_text(folder / name, "a\tb\n1\t2\n");
    EXPECT_EQ(read_table(folder / name).value().values, (Values{1, 2})) << name;
  }
  for (const char* name : {"a.jsonl", "a.ndjson"}) {
    write_text(folder / name, "[1, 2]\n");
    EXPECT_EQ(read_table(folder / name).value().values, (Values{1, 2})) << name;
  }
  EXPECT_TRUE(contains(read_table(folder / "a.xls").error(), "expected a name that ends in .csv"));
  EXPECT_TRUE(contains(read_table(folder / "a").error(), "found none of them"));
  EXPECT_TRUE(contains(read_table(folder / "none.csv").error(), "none.csv: cannot open"));
  write_text(folder / "a.npy", "a,b\n");
  EXPECT_TRUE(contains(read_table(folder / "a.npy").error(), "expected a NumPy array"));
}

}  // namespace
}  // namespace elastane
