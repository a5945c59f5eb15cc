// Tests of elastane/forecast/forecast_snapshot.cpp: what is written comes back, and nothing else is taken.
#include "elastane/forecast/forecast_snapshot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "elastane/core/base/checksum.h"
#include "tests/forecast/small_forecaster.h"
#include "tests/io/folder.h"

namespace elastane {
namespace {

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

ForecastSnapshot snapshot_after(int rows) {
  Forecaster forecaster(small_forecaster());
  for (int t = 0; t < rows; ++t) forecaster.observe(small_row(t));
  ForecastSnapshot s;
  s.fingerprint = forecaster.fingerprint();
  s.rows = 7;
  s.invalid_rows = 2;
  s.format = RowFormat::jsonl;
  s.header = {"time,\"a", "b\",c"};
  s.example = {std::string("1,2,\0", 5)};
  SeriesStreamSnapshot& each = s.streams.emplace_back();
  each.id = "north";
  each.state.assign(forecaster.state().begin(), forecaster.state().end());
  each.time = 1.5;
  each.ahead = NAN;
  each.late = {.window = 3,
               .older_tick = 4,
               .newer_tick = 5,
               .older = {1, 2},
               .newer = {3},
               .rows = {{4, true, {}}, {5, false, {1, NAN}}}};
  s.streams.emplace_back();
  return s;
}

TEST(ForecastSnapshot, ComesBackAsItWas) {
  const ForecastSnapshot s = snapshot_after(20);
  const auto back = parse_forecast_snapshot(format_forecast_snapshot(s)).value();
  EXPECT_EQ(format_forecast_snapshot(back), format_forecast_snapshot(s));
  EXPECT_EQ(back.rows, 7U);
  EXPECT_EQ(back.invalid_rows, 2U);
  EXPECT_EQ(back.format, RowFormat::jsonl);
  EXPECT_EQ(back.header, s.header);
  EXPECT_EQ(back.example, s.example);
  ASSERT_EQ(back.streams.size(), 2U);
  EXPECT_EQ(back.streams[0].id, "north");
  EXPECT_EQ(back.streams[0].state, s.streams[0].state);
  EXPECT_TRUE(std::isnan(back.streams[0].ahead));
  ASSERT_EQ(back.streams[0].late.rows.size(), 2U);
  EXPECT_TRUE(back.streams[0].late.rows[0].is_missing);
  EXPECT_EQ(back.streams[0].late.rows[1].values[0], 1);
}

TEST(ForecastSnapshot, ThatIsTornAnywhereIsRefused) {
  const auto bytes = format_forecast_snapshot(snapshot_after(5));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto torn = parse_forecast_snapshot(std::span(bytes).first(size));
    ASSERT_FALSE(torn) << size;
    ASSERT_TRUE(contains(torn.error(), "cut short")) << size << ": " << torn.error();
  }
}

TEST(ForecastSnapshot, WithABitThatIsWrongIsRefused) {
  auto bytes = format_forecast_snapshot(snapshot_after(5));
  for (std::size_t at = 0; at < bytes.size(); at += at < 100 ? 1 : 13) {
    for (const int bit : {0, 3, 7}) {
      bytes[at] ^= std::byte(1 << bit);
      ASSERT_FALSE(parse_forecast_snapshot(bytes)) << at;
      bytes[at] ^= std::byte(1 << bit);
    }
  }
  EXPECT_TRUE(parse_forecast_snapshot(bytes));
}

// whatever the content says about lengths
TEST(ForecastSnapshot, WithARightChecksumIsStillLookedAt) {
  const auto good = format_forecast_snapshot(snapshot_after(5));
  for (std::size_t at = 64; at + 12 < 500; at += 1) {
    auto bytes = good;
    const std::uint64_t huge = ~std::uint64_t{0} >> (at % 60);
    std::memcpy(bytes.data() + at, &huge, sizeof huge);
    const std::uint32_t crc = crc32(std::span(bytes).first(bytes.size() - 4));
    std::memcpy(bytes.data() + bytes.size() - 4, &crc, 4);
    const auto parsed = parse_forecast_snapshot(bytes);
    EXPECT_TRUE(parsed || contains(parsed.error(), "does not have the form of a snapshot")) << at;
  }
}

TEST(ForecastSnapshot, SaysWhatDoesNotFit) {
  auto bytes = format_forecast_snapshot(snapshot_after(5));
  bytes[8] = std::byte{9};
  EXPECT_TRUE(contains(parse_forecast_snapshot(bytes).error(), "expected version 5, found 9"));
  bytes[0] = std::byte{0};
  EXPECT_TRUE(contains(parse_forecast_snapshot(bytes).error(), "not a snapshot of elastane run"));

  ForecastSnapshot s = snapshot_after(5);
  const Forecaster same(small_forecaster()), other_learning(small_forecaster(), {.learning = Learning::exact});
  EXPECT_TRUE(check_origin(s, same));
  EXPECT_TRUE(contains(check_origin(s, other_learning).error(), "was taken with --learning kalman, not exact"));
  s.fingerprint += 1;
  EXPECT_TRUE(contains(check_origin(s, same).error(), "was taken with another model"));
}

TEST(ForecastSnapshot, IsAFile) {
  const Folder folder;
  const ForecastSnapshot s = snapshot_after(5);
  ASSERT_TRUE(save_forecast_snapshot(folder / "s", s));
  EXPECT_EQ(format_forecast_snapshot(load_forecast_snapshot(folder / "s").value()), format_forecast_snapshot(s));
  EXPECT_EQ(folder.files(), 1);
  write_text(folder / "t", "ELASTRUN");
  EXPECT_TRUE(contains(load_forecast_snapshot(folder / "t").error(), "/t: [snapshot] expected at least"));
  EXPECT_FALSE(load_forecast_snapshot(folder / "nothing"));
}

TEST(ForecastSnapshot, OfOneForecasterBringsItBackExactly) {
  Forecaster forecaster(small_forecaster()), other = forecaster;
  for (int t = 0; t < 40; ++t) forecaster.observe(small_row(t));
  const ForecastSnapshot snapshot = parse_forecast_snapshot(format_forecast_snapshot(snapshot_of(forecaster))).value();
  ASSERT_TRUE(restore(snapshot, other));
  EXPECT_TRUE(std::ranges::equal(other.state(), forecaster.state()));
  EXPECT_TRUE(std::ranges::equal(other.forecast(), forecaster.forecast()));
  ForecastSnapshot many = snapshot;
  many.streams.push_back(many.streams.front());
  EXPECT_FALSE(restore(many, other)) << "of several series";
}

}  // namespace
}  // namespace elastane
