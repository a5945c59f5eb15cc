// elastane/serve/row_text.cpp
#include "elastane/serve/row_text.h"

#include <gtest/gtest.h>

namespace elastane::serve {
namespace {

const std::vector<std::string> kChannels = {"a", "b"};

Result<RowBatch> parse(RowFormat format, std::string_view text, std::size_t most = 100) {
  return parse_row_text(kChannels, "s", format, text, most);
}

TEST(RowText, ChannelsAreFoundByNameInBothFormats) {
  const auto csv = parse(RowFormat::csv, "time,b,other,a\r\n60,2,x,1\r\n120,4,y,\r\n").value();
  const auto json = parse(RowFormat::jsonl, "{\"time\":60,\"b\":2,\"a\":1}\n{\"time\":120,\"b\":4}").value();
  for (const RowBatch& batch : {csv, json}) {
    ASSERT_EQ(batch.rows(), 2U);
    EXPECT_EQ(batch.times, (std::vector<double>{60, 120}));
    EXPECT_EQ(batch.row(0)[0], 1);
    EXPECT_EQ(batch.row(1)[1], 4);
    EXPECT_TRUE(std::isnan(batch.row(1)[0]));
    EXPECT_FALSE(batch.has_dates);
  }
  EXPECT_TRUE(parse(RowFormat::jsonl, R"({"time":"2024-05-01T00:00:00Z","a":1,"b":2})").value().has_dates);
  EXPECT_EQ(parse(RowFormat::jsonl, "[1, 2]").value().values, (std::vector<double>{1, 2}));
}

TEST(RowText, OneInvalidRowRefusesAll) {
  EXPECT_FALSE(parse(RowFormat::csv, "a,b\n1,2\n1,x\n"));
  EXPECT_FALSE(parse(RowFormat::csv, "a,b\n"));
  EXPECT_FALSE(parse(RowFormat::csv, "a,c\n1,2\n"));
  EXPECT_FALSE(parse(RowFormat::csv, "a,b\n1,\"2\n"));
  EXPECT_FALSE(parse(RowFormat::jsonl, "{\"a\":1,\"b\":2}\n{\"a\":"));
  EXPECT_FALSE(parse(RowFormat::jsonl, "[1,2]\n[3,4]\n[5,6]", 2));
  EXPECT_FALSE(parse(RowFormat::jsonl, R"({"unique_id":"t","a":1,"b":2})"));
  EXPECT_TRUE(parse(RowFormat::jsonl, R"({"unique_id":"s","a":1,"b":2})"));
  EXPECT_FALSE(parse(RowFormat::jsonl, ""));
}

}  // namespace
}  // namespace elastane::serve
