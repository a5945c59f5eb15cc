// elastane/forecast/channel_columns.cpp
#include "elastane/forecast/channel_columns.h"

#include <gtest/gtest.h>

namespace elastane {
namespace {

RowReader read(RowFormat format, std::initializer_list<std::string_view> lines) {
  RowReader reader(format, "test");
  TableRow row;
  for (const std::string_view line : lines) EXPECT_TRUE(reader.feed(line, row));
  return reader;
}

TEST(ChannelColumns, AreFoundByNameOrElseByPosition) {
  const auto named = read(RowFormat::csv, {"time,b,c,a", "1,2,3,4"});
  EXPECT_EQ(columns_of_channels(named, {"a", "b"}, "test").value(), (std::vector<std::size_t>{2, 0}));
  const auto bare = read(RowFormat::jsonl, {"[1, 2]"});
  EXPECT_EQ(columns_of_channels(bare, {"a", "b"}, "test").value(), (std::vector<std::size_t>{0, 1}));
}

TEST(ChannelColumns, MissingOnesAreNamed) {
  const auto named = read(RowFormat::csv, {"b,c", "2,3"});
  const auto found = columns_of_channels(named, {"a", "b"}, "test");
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().find("expected the columns a,"), std::string::npos) << found.error();
  EXPECT_FALSE(columns_of_channels(read(RowFormat::jsonl, {"[1]"}), {"a", "b"}, "test"));
}

}  // namespace
}  // namespace elastane
