// elastane/io/csv.cpp
#include "elastane/io/csv.h"

#include <gtest/gtest.h>

namespace elastane {
namespace {

std::vector<std::string> texts(CsvRecord& record) {
  std::vector<std::string> all;
  for (const TableField& field : record.split().value()) all.emplace_back(field.text);
  return all;
}

std::vector<std::string> split(std::string_view line, char delimiter = ',') {
  CsvRecord record;
  record.begin(delimiter);
  EXPECT_TRUE(record.add(line));
  return texts(record);
}

TEST(Csv, TheDelimiterIsTheMostFrequentOneOutsideQuotes) {
  EXPECT_EQ(recognise_delimiter("a,b,c"), ',');
  EXPECT_EQ(recognise_delimiter("a;b;c"), ';');
  EXPECT_EQ(recognise_delimiter("a\tb,c\td"), '\t');
  EXPECT_EQ(recognise_delimiter("\"a,b,c\";d"), ';');
  EXPECT_EQ(recognise_delimiter("a"), ',');
}

TEST(Csv, FieldsMayBeEmptyOrQuoted) {
  EXPECT_EQ(split("1,,x"), (std::vector<std::string>{"1", "", "x"}));
  EXPECT_EQ(split("\"a,b\",\"say \"\"so\"\"\""), (std::vector<std::string>{"a,b", "say \"so\""}));
  EXPECT_EQ(split("1;2", ';'), (std::vector<std::string>{"1", "2"}));
}

TEST(Csv, ARecordContinuesWhileAQuoteIsOpen) {
  CsvRecord record;
  record.begin(',');
  EXPECT_FALSE(record.add("1,\"two"));
  EXPECT_TRUE(record.is_open());
  EXPECT_EQ(record.open_field(), 1U);
  EXPECT_TRUE(record.add("lines\",3"));
  EXPECT_EQ(texts(record), (std::vector<std::string>{"1", "two\nlines", "3"}));
}

TEST(Csv, TextAfterAClosingQuoteIsRefused) {
  CsvRecord record;
  record.begin(',');
  EXPECT_TRUE(record.add("\"a\"b,c"));
  EXPECT_FALSE(record.split());
}

}  // namespace
}  // namespace elastane
