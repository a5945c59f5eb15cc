// elastane/io/jsonl.cpp
#include "elastane/io/jsonl.h"

#include <gtest/gtest.h>

namespace elastane {
namespace {

TEST(Jsonl, AnObjectHasKeysAndFields) {
  JsonLine line;
  ASSERT_TRUE(parse_json_line(R"({"b": 1.5, "a": null, "t": "2024-05-01", "s": "text"})", line));
  EXPECT_FALSE(line.is_list);
  EXPECT_EQ(line.keys, (std::vector<std::string>{"b", "a", "t", "s"}));
  ASSERT_EQ(line.fields.size(), 4U);
  EXPECT_EQ(line.fields[0].cell.value, 1.5);
}

TEST(Jsonl, AListHasFieldsAlone) {
  JsonLine line;
  ASSERT_TRUE(parse_json_line("[1, 2, -3e4]", line));
  EXPECT_TRUE(line.is_list);
  EXPECT_EQ(line.fields[2].cell.value, -3e4);
}

TEST(Jsonl, RefusesWhatIsNotOneFlatLine) {
  JsonLine line;
  for (const char* text : {"", "1", "{", "{\"a\":{}}", "[[1]]", "{\"a\":true}", "{\"a\":1,\"a\":2}", "{\"a\":1}{}",
                           "{\"a\":1e999}", "nonsense"}) {
    EXPECT_FALSE(parse_json_line(text, line)) << text;
  }
  EXPECT_FALSE(parse_json_line(std::string_view("[1]\0[2]", 7), line));
}

}  // namespace
}  // namespace elastane
