// Tests of elastane/io/row_reader.cpp, csv.cpp and jsonl.cpp: a line is a row, or the reason why not; the next one does
// not suffer.
#include "elastane/io/row_reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "elastane/io/csv.h"

namespace elastane {
namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// feeds lines and keeps what came of the last
struct Fed {
  RowReader reader;
  TableRow row = {};
  std::string error = {};

  explicit Fed(RowFormat format, const TableOptions& options = {}) : reader(format, "here", options) {}

  bool operator()(std::string_view line) {
    const auto taken = reader.feed(line, row);
    error = taken ? "" : taken.error();
    return taken && *taken;
  }
};

using Values = std::vector<double>;
using Names = std::vector<std::string>;

// --- separated values

TEST(CsvRows, FollowAHeader) {
  Fed feed(RowFormat::csv);
  EXPECT_FALSE(feed("a,b"));
  EXPECT_TRUE(feed("1,2.5"));
  EXPECT_EQ(feed.row.values, (Values{1, 2.5}));
  EXPECT_TRUE(feed("-3e2, 4\r"));
  EXPECT_EQ(feed.row.values, (Values{-300, 4}));
  EXPECT_EQ(feed.reader.columns(), (Names{"a", "b"}));
  EXPECT_EQ(feed.reader.line(), 3U);
  EXPECT_EQ(feed.reader.time_column(), "");
}

TEST(CsvRows, WithoutAHeaderAreNumbered) {
  Fed feed(RowFormat::csv);
  EXPECT_TRUE(
      feed("\xEF\xBB\xBF"
           "1;;3"));
  EXPECT_EQ(feed.reader.columns(), (Names{"c0", "c1", "c2"}));
  EXPECT_TRUE(std::isnan(feed.row.values[1]));
}

TEST(CsvRows, FindTheirDelimiter) {
  EXPECT_EQ(recognise_delimiter("a,b,c"), ',');
  EXPECT_EQ(recognise_delimiter("a;b;c"), ';');
  EXPECT_EQ(recognise_delimiter("a\tb, c"), '\t');
  EXPECT_EQ(recognise_delimiter("speed, m/s;depth, m"), ',');
  EXPECT_EQ(recognise_delimiter("time;speed, m/s;depth, m"), ';');
  EXPECT_EQ(recognise_delimiter("\"a,b,c\";d"), ';');
  EXPECT_EQ(recognise_delimiter("one"), ',');
}

TEST(CsvRows, MayHaveQuotes) {
  Fed feed(RowFormat::csv);
  EXPECT_FALSE(feed("\"a, \"\"b\"\"\", c ,\"d\""));
  EXPECT_TRUE(feed("\"1\", \"2\" ,\"\""));
  EXPECT_EQ(feed.reader.columns(), (Names{"a, \"b\"", "c", "d"}));
  EXPECT_EQ(feed.row.values[1], 2);
  EXPECT_TRUE(std::isnan(feed.row.values[2]));
  EXPECT_FALSE(feed("\"1\"2,3,4"));
  EXPECT_TRUE(contains(feed.error, "line 3: field 1: expected a delimiter after the closing quote")) << feed.error;
  EXPECT_FALSE(feed("1,2\",3"));  // a quote inside of a field is text
  EXPECT_TRUE(contains(feed.error, "found 2\"")) << feed.error;
  EXPECT_TRUE(feed("7,8,9"));
}

TEST(CsvRows, ContinueOverLinesInColumnsOfText) {
  Fed feed(RowFormat::csv);
  EXPECT_FALSE(feed("unique_id,\"a"));
  EXPECT_TRUE(feed.reader.is_inside_record());
  EXPECT_FALSE(feed("b\",y"));
  EXPECT_FALSE(feed("\"first"));
  EXPECT_FALSE(feed(""));
  EXPECT_TRUE(feed("third\",1,2"));
  EXPECT_EQ(feed.row.id, "first\n\nthird");
  EXPECT_EQ(feed.reader.columns(), (Names{"a\nb", "y"}));
  EXPECT_FALSE(feed("x,\"1,2"));  // a number does not
  EXPECT_TRUE(contains(feed.error, "line 6: expected a closing quote")) << feed.error;
  EXPECT_TRUE(feed("y,3,4"));
  EXPECT_FALSE(feed("\"open,5,6"));
  EXPECT_TRUE(contains(feed.reader.finish().error(), "line 8: expected a closing quote, found the end"));
}

TEST(CsvRows, PassOverBlankLines) {
  Fed feed(RowFormat::csv);
  for (const char* line : {"", "a", "\r", "  "}) EXPECT_FALSE(feed(line)) << feed.error;
  EXPECT_TRUE(feed("1"));
  EXPECT_EQ(feed.error, "");
}

TEST(CsvRows, NameLineColumnAndTextThatIsNotANumber) {
  Fed feed(RowFormat::csv);
  feed("a,speed");
  EXPECT_FALSE(feed("1,fast"));
  EXPECT_EQ(
      feed.error,
      "[table] here, line 2, column speed: expected a number, found fast; write ? or leave it empty if it is missing");
  EXPECT_FALSE(feed("1,2,3"));
  EXPECT_EQ(
      feed.error,
      "[table] here, line 3: expected 2 fields as in the first line, found 3; leave a field empty if its value is "
      "missing");
  EXPECT_FALSE(feed("1"));
  EXPECT_TRUE(contains(feed.error, "line 4: expected 2 fields"));
  EXPECT_TRUE(feed("1,2"));
}

TEST(CsvRows, ReadLeniently) {
  Fed feed(RowFormat::csv, {.strict = false});
  feed("a,b,c,d");
  EXPECT_TRUE(feed("1,fast,-inf,NA"));
  EXPECT_EQ(feed.row.unread, 1);
  EXPECT_EQ(feed.row.infinite, 1);
  for (const std::size_t i : {1U, 2U, 3U}) EXPECT_TRUE(std::isnan(feed.row.values[i]));
  EXPECT_FALSE(feed("1,2"));
}

TEST(CsvRows, WithAHeaderThatNamesAColumnTwiceAreAllRefused) {
  Fed feed(RowFormat::csv);
  EXPECT_FALSE(feed("a,b,a"));
  EXPECT_EQ(feed.error, "[table] here, line 1, column a: expected it once, found it twice; rename one");
  EXPECT_FALSE(feed("1,2,3"));
  EXPECT_TRUE(contains(feed.error, "line 1, column a"));
}

TEST(CsvRows, OfAnyLengthAreBounded) {
  Fed feed(RowFormat::csv);
  feed("unique_id,a");
  EXPECT_FALSE(feed(std::string(kLongestRow + 1, '1')));
  EXPECT_TRUE(contains(feed.error, "bytes per row")) << feed.error;
  EXPECT_TRUE(feed("x,1"));
  EXPECT_FALSE(feed("\"open"));
  int lines = 0;
  while (feed(std::string(1000, 'x')), feed.error.empty()) ASSERT_LT(++lines, 2000);
  EXPECT_TRUE(contains(feed.error, "line 4: expected at most")) << feed.error;
  EXPECT_TRUE(feed("x,1"));
  Fed wide(RowFormat::csv);
  EXPECT_FALSE(wide("a" + std::string(kMostColumns, ',')));
  EXPECT_TRUE(contains(wide.error, "expected at most 65536 columns, found 65537")) << wide.error;
}

TEST(CsvRows, MayHoldTextWhereNumbersAreNotNeeded) {
  Fed feed(RowFormat::csv, {.needed = {"b"}});
  feed("a,b");
  EXPECT_TRUE(feed("text,2"));
  EXPECT_TRUE(std::isnan(feed.row.values[0]));
  EXPECT_FALSE(feed("1,text"));
  EXPECT_TRUE(feed.reader.is_named());
  Fed json(RowFormat::jsonl, {.needed = {"b"}});
  EXPECT_TRUE(json(R"({"b": 1})"));
  EXPECT_TRUE(json(R"({"b": 1, "new": "x"})"));
  EXPECT_FALSE(json(R"({"b": "x"})"));
  Fed bare(RowFormat::csv, {.needed = {"b"}});
  EXPECT_TRUE(bare("1,2"));
  EXPECT_FALSE(bare("1,text"));
  EXPECT_FALSE(bare.reader.is_named());
}

// --- times and series

TEST(TimeColumn, IsKnownByItsName) {
  for (const char* name : {"time", "Timestamp", "DATE", "datetime", "ds", "t"}) {
    Fed feed(RowFormat::csv);
    feed("a," + std::string(name));
    EXPECT_TRUE(feed("1,2.5"));
    EXPECT_EQ(feed.row.time, 2.5);
    EXPECT_EQ(feed.reader.time_column(), name);
    EXPECT_EQ(feed.reader.columns(), Names{"a"});
  }
  Fed feed(RowFormat::csv);
  feed("T,b");
  EXPECT_TRUE(feed("1,2"));
  EXPECT_EQ(feed.reader.time_column(), "");
}

TEST(TimeColumn, IsTheFirstOneIfItHoldsDates) {
  Fed feed(RowFormat::csv);
  feed("when,a");
  EXPECT_TRUE(feed("1970-01-02,1"));
  EXPECT_EQ(feed.row.time, 86400);
  EXPECT_EQ(feed.reader.time_column(), "when");
  EXPECT_FALSE(feed("soon,1"));
  EXPECT_TRUE(contains(feed.error, "line 3, column when: expected a date such as 2024-05-01T12:30:00Z, found soon"));
  EXPECT_FALSE(feed("5,1"));
  EXPECT_TRUE(feed(",1"));
  EXPECT_TRUE(std::isnan(feed.row.time));

  Fed bare(RowFormat::csv);
  EXPECT_TRUE(bare("1970-01-02,1"));
  EXPECT_EQ(bare.reader.time_column(), "c0");
  EXPECT_EQ(bare.reader.columns(), Names{"c1"});

  Fed second(RowFormat::csv);
  second("a,when");
  EXPECT_FALSE(second("1,1970-01-02"));
  EXPECT_TRUE(contains(second.error, "column when: expected a number, found 1970-01-02")) << second.error;
}

TEST(TimeColumn, IsNotDecidedByARowThatWasRefused) {
  Fed feed(RowFormat::csv);
  feed("when,a");
  EXPECT_FALSE(feed("1970-01-02,x"));
  EXPECT_TRUE(feed("3,4"));
  EXPECT_EQ(feed.row.values, (Values{3, 4}));
  EXPECT_FALSE(feed("1970-01-02,1"));
}

TEST(IdColumn, NamesTheSeries) {
  Fed feed(RowFormat::csv);
  feed("unique_id,ds,y");
  EXPECT_TRUE(feed("north,2024-05-01,3"));
  EXPECT_EQ(feed.row.id, "north");
  EXPECT_EQ(feed.reader.id_column(), "unique_id");
  EXPECT_EQ(feed.row.values, Values{3});
  EXPECT_FALSE(feed(",2024-05-01,3"));
  EXPECT_TRUE(contains(feed.error, "expected the name of a series, found nothing")) << feed.error;

  Fed json(RowFormat::jsonl);
  EXPECT_TRUE(json(R"({"unique_id": 7, "when": "1970-01-01T00:01", "y": 1})"));
  EXPECT_EQ(json.row.id, "7");
  EXPECT_EQ(json.row.time, 60);
}

// --- JSON

TEST(JsonRows, AreObjectsWithTheKeysOfTheFirst) {
  Fed feed(RowFormat::jsonl);
  EXPECT_TRUE(feed(R"({"z": 1, "a": null, "time": 5})"));
  EXPECT_EQ(feed.reader.columns(), (Names{"z", "a"}));
  EXPECT_EQ(feed.row.time, 5);
  EXPECT_EQ(feed.row.values[0], 1);
  EXPECT_TRUE(std::isnan(feed.row.values[1]));
  EXPECT_TRUE(feed(R"({"a": 2, "time": 6.5})"));
  EXPECT_TRUE(std::isnan(feed.row.values[0]));
  EXPECT_EQ(feed.row.values[1], 2);
  EXPECT_TRUE(feed(R"({"a": "NA", "z": " -1.5 ", "time": 7})"));
  EXPECT_EQ(feed.row.values[0], -1.5);
  EXPECT_FALSE(feed(R"({"a": 2, "b": 6.5})"));
  EXPECT_TRUE(contains(feed.error, "line 4, column b: expected a key of the first line")) << feed.error;
  EXPECT_FALSE(feed(""));
  EXPECT_EQ(feed.error, "");
  EXPECT_TRUE(feed("{}"));
}

TEST(JsonRows, MayBeLists) {
  Fed feed(RowFormat::jsonl);
  EXPECT_TRUE(feed("[1, null, 3]"));
  EXPECT_EQ(feed.reader.columns(), (Names{"c0", "c1", "c2"}));
  EXPECT_FALSE(feed("[1, 2]"));
  EXPECT_TRUE(contains(feed.error, "line 2: expected 3 fields")) << feed.error;
  EXPECT_FALSE(feed("{\"c0\": 1}"));
  EXPECT_TRUE(contains(feed.error, "line 3: expected a list as in the first line, found an object")) << feed.error;
  EXPECT_TRUE(feed("[4,5,6]"));
  EXPECT_EQ(feed.row.values, (Values{4, 5, 6}));
}

TEST(JsonRows, ThatAreInvalidSayWhy) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{", "expected JSON, found the line's end"},
      {"{\"a\":1} x", "expected JSON, found x"},
      {"{\"a\":NaN}", "column a: expected JSON, found NaN}"},
      {"{\"a\":1e999}", "column a: expected numbers within a double's range"},
      {"{\"a\":1,\"a\":2}", "expected the key a once, found it twice"},
      {"{\"a\":true}", "column a: expected a number, null or a text, found true"},
      {"{\"a\":{\"b\":1}}", "column a: expected a number, null or a text, found an object"},
      {"{\"a\":[1]}", "found a list"},
      {"[[1]]", "found a list"},
      {"{\"a\":\"text\"}", "column a: expected a number, found text"},
      {"7", "expected an object or a list of numbers, found 7"},
      {"null", "expected an object or a list of numbers, found null"},
      {std::string("{}\0", 3), "found a zero byte"},
      {std::string(100'000, '['), "found a list"},
  };
  for (const bool first : {true, false}) {
    Fed feed(RowFormat::jsonl);
    EXPECT_TRUE(first || feed("{\"a\":1}"));
    for (const auto& [line, why] : cases) {
      EXPECT_FALSE(feed(line));
      EXPECT_TRUE(contains(feed.error, why)) << line.substr(0, 50) << " → " << feed.error;
      EXPECT_TRUE(feed.error.starts_with("[table] here, line ")) << feed.error;
    }
    // and the next one is a row
    EXPECT_TRUE(feed("{\"a\":2}")) << feed.error;
    EXPECT_EQ(feed.row.values, Values{2});
  }
  Fed empty(RowFormat::jsonl);
  EXPECT_FALSE(empty("{}"));
  EXPECT_TRUE(contains(empty.error, "expected at least one value in the first line"));
}

}  // namespace
}  // namespace elastane
