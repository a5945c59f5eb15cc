// elastane/serve/record.cpp
#include "elastane/serve/record.h"

#include <gtest/gtest.h>

#include "tests/serve/small_service.h"

namespace elastane::serve {
namespace {

TEST(Record, RowsAreTheSameAfterAndBeforeTheirBytes) {
  RowBatch batch = small_batch("pump 7", 12, 3);
  batch.values[2] = NAN;
  batch.has_dates = true;
  const auto bytes = to_bytes(batch);
  const auto back = parse_rows(bytes, 2).value();
  EXPECT_EQ(to_bytes(back), bytes);
  EXPECT_EQ(back.last(), 14U);
  EXPECT_EQ(back.row(1)[1], batch.values[3]);
}

TEST(Record, BytesThatAreCutOrOfAnotherKindAreRefused) {
  const auto bytes = to_bytes(small_batch("a", 1, 2));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(parse_rows(std::span(bytes).first(length)));
  }
  EXPECT_FALSE(parse_forecasts(bytes));
  EXPECT_FALSE(parse_rows(bytes, 3));
  EXPECT_FALSE(parse_rows(to_bytes(small_batch("", 1, 2))));
  EXPECT_FALSE(parse_rows(to_bytes(small_batch("a", 0, 2))));
}

TEST(Record, AForecastBecomesALineOfElastaneRun) {
  const ForecastRecord record{
      .number = 4, .time = 60, .forecast = {1, 2.5}, .lower = {0, NAN}, .upper = {2, 3}, .report = ",\"depth\":0"};
  std::string line;
  append_line("a\"b", parse_forecast(to_bytes(record)).value(), 1, line);
  EXPECT_EQ(line,
            "{\"row\":4,\"id\":\"a\\\"b\",\"time\":60,\"forecast\":[[1],[2.5]],\"lower\":[[0],[null]],"
            "\"upper\":[[2],[3]],\"depth\":0}\n");
}

TEST(Record, ControlsKeepTheirKind) {
  for (const auto kind : {Control::Kind::erase, Control::Kind::restore, Control::Kind::model}) {
    const auto bytes = to_bytes(Control{.kind = kind, .id = "a", .data = "b"});
    EXPECT_TRUE(is_control(bytes));
    EXPECT_EQ(parse_control(bytes).value().kind, kind);
  }
  EXPECT_FALSE(is_control(to_bytes(small_batch("a", 1, 1))));
}

}  // namespace
}  // namespace elastane::serve
