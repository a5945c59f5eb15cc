// elastane/forecast/row_stream.cpp: valid rows are forecast whatever is between them, late ones as if they had arrived
// in time, and a restored stream continues as if it had never stopped.
#include "elastane/forecast/row_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "elastane/forecast/forecast_lines.h"
#include "elastane/io/number_text.h"
#include "tests/forecast/small_forecaster.h"

namespace elastane {
namespace {

constexpr double kStep = 60;  // seconds per row

std::string row_of(int tick, bool is_timed = true) {
  const auto x = small_row(tick);
  return (is_timed ? number_text(kStep * tick) + "," : "") + number_text(x[0]) + "," + number_text(x[1]);
}

struct Reader {
  explicit Reader(const RowStreamOptions& options = {}, double step = kStep)
      : model(small_forecaster(step)), stream(model, options), lines(RowFormat::jsonl, *model, true) {}

  // the line, without the time it took
  std::string operator()(std::string_view line) {
    if (!stream.feed_line(line).value()) return "";
    std::string text;
    lines.append_line(stream, text);
    const std::size_t micros = text.find("\"micros\"");
    return text.erase(micros, text.find("\"drift\"") - micros);
  }
  std::vector<double> state() const {
    const auto s = stream.forecaster()->state();
    return {s.begin(), s.end()};
  }

  SharedForecastModel model;
  RowStream stream;
  ForecastLines lines;
};

TEST(RowStream, StartsWarmWhereTheModelEnded) {
  for (const auto& [first, start, rows] :
       {std::tuple(50, StartMode::automatic, 51U), std::tuple(49, StartMode::automatic, 1U),
        std::tuple(5000, StartMode::automatic, 1U), std::tuple(50, StartMode::cold, 1U)}) {
    Reader read({.start = start});
    read("time,a,b");
    EXPECT_NE(read(row_of(first)), "");
    EXPECT_EQ(read.stream.outcome().forecaster->rows(), rows) << first;
    EXPECT_EQ(read.stream.outcome().forecaster->tick(), static_cast<std::uint64_t>(first) + 1);
  }
  Reader late({.start = StartMode::warm});
  late("time,a,b");
  EXPECT_THROW(late(row_of(49)), std::runtime_error);
}

TEST(RowStream, PlacesRowsOfOneTickOneAfterTheOther) {
  Reader read;
  read("time,a,b");
  for (const char* line : {"3000,1,2", "3001,1,2", "3002,1,2", "3300,1,2"}) read(line);
  EXPECT_EQ(read.stream.outcome().forecaster->tick(), 56U);
  EXPECT_EQ(read.stream.invalid_rows(), 0U);
  read(",1,2");
  EXPECT_EQ(read.stream.outcome().forecaster->tick(), 57U);
}

TEST(RowStream, InsertsLateRowsAtTheirTicks) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const int window = 1 + trial % 12;
    std::vector<std::pair<double, int>> arrival;  // when, which tick
    for (int t = 50; t < 120; ++t) {
      if (random() % 8 == 0 && t > 50) continue;  // never
      const double delay = random() % 3 == 0 ? static_cast<double>(random() % window) : 0;
      arrival.emplace_back(t + delay + 0.5 * (delay > 0), t);
    }
    Reader in_order, mixed({.late = static_cast<std::uint64_t>(window)});
    in_order("time,a,b");
    mixed("time,a,b");
    std::string expected, found;
    for (const auto& [when, tick] : arrival) in_order(row_of(tick));
    std::ranges::sort(arrival);
    // cold or warm is decided by the row that comes first
    if (arrival.front().second != 50) continue;
    for (const auto& [when, tick] : arrival) mixed(row_of(tick));
    ASSERT_EQ(mixed.stream.invalid_rows(), 0U) << trial;
    ASSERT_EQ(mixed.state(), in_order.state()) << trial;
    const auto a = mixed.stream.forecaster()->forecast();
    const auto b = in_order.stream.forecaster()->forecast();
    ASSERT_TRUE(std::ranges::equal(a, b)) << trial;
  }
}

TEST(RowStream, RejectsLateRowsOutsideTheWindowOrAtTicksThatHaveRows) {
  Reader read({.late = 5});
  read("time,a,b");
  for (const int t : {50, 51, 60, 61, 62}) read(row_of(t));
  for (const int t : {56, 61, 62, 60, 50}) {
    read(row_of(t));
    EXPECT_NE(read.stream.outcome().invalid, "") << t;
  }
  read(row_of(57));
  EXPECT_TRUE(read.stream.outcome().is_late);
  read(row_of(57));
  EXPECT_NE(read.stream.outcome().invalid, "");
}

TEST(RowStream, ContinuesFromASnapshotAsIfItHadNeverStopped) {
  std::vector<std::string> lines = {"time,a,b"};
  for (int t = 50; t < 110; ++t) {
    if (t % 9 == 0) lines.emplace_back("rubbish");
    if (t % 11 == 0) lines.push_back(number_text(kStep * t) + ",x,1");
    if (t % 7 != 0) lines.push_back(row_of(t));
    if (t % 13 == 0) lines.push_back(row_of(t - 6));
  }
  for (const std::uint64_t late : {0U, 8U}) {
    Reader whole({.late = late});
    std::vector<std::string> expected;
    for (const std::string& line : lines) expected.push_back(whole(line));
    for (std::size_t stop = 2; stop < lines.size(); stop += 5) {
      Reader before({.late = late});
      for (std::size_t i = 0; i < stop; ++i) before(lines[i]);
      const auto bytes = format_forecast_snapshot(before.stream.snapshot());
      const ForecastSnapshot snapshot = parse_forecast_snapshot(bytes).value();
      Reader continued({.late = late}), again({.late = late});
      continued.stream.restore(snapshot, RowStream::Input::later_rows).value();
      again.stream.restore(snapshot, RowStream::Input::all_rows).value();
      for (std::size_t i = 0; i < stop; ++i) ASSERT_EQ(again(lines[i]), "");
      EXPECT_EQ(again.stream.rows_to_skip(), 0U);
      for (std::size_t i = stop; i < lines.size(); ++i) {
        ASSERT_EQ(continued(lines[i]), expected[i]) << stop << ", " << i;
        ASSERT_EQ(again(lines[i]), expected[i]) << stop << ", " << i;
      }
    }
  }
}

// a character taken out, put in or changed
std::string mutated(std::string line, std::mt19937& random) {
  constexpr std::string_view kOdd = "0123456789.,,,;-+eE\"\"{}[]:naif \t\r\n\0\xff";
  const int changes = 1 + static_cast<int>(random() % 4);
  for (int i = 0; i < changes; ++i) {
    const std::size_t at = random() % (line.size() + 1);
    const char c = kOdd[random() % kOdd.size()];
    switch (random() % 3) {
      case 0: line.insert(at, 1, c); break;
      case 1: line.erase(at, 1 + random() % 3); break;
      default: line.replace(at, at < line.size() ? 1 : 0, 1, c);
    }
  }
  return line;
}

// Every good row among them is forecast, and every row has its line. Mutations that are rows count as such.
// ELASTANE_MUTATIONS=500000 makes it a million.
TEST(RowStream, SurvivesMutatedLines) {
  const char* asked = std::getenv("ELASTANE_MUTATIONS");
  const int mutations = asked == nullptr ? 10'000 : std::atoi(asked);
  std::mt19937 random(7);
  for (const bool is_json : {false, true}) {
    Reader read({.format = is_json ? RowFormat::jsonl : RowFormat::csv}, 0);
    const auto good = [&](int t) {
      const auto x = small_row(t);
      return is_json ? "{\"a\":" + number_text(x[0]) + ",\"b\":" + number_text(x[1]) + "}" : row_of(t, false);
    };
    if (!is_json) read("a,b");
    for (int t = 0; t < mutations; ++t) {
      const std::uint64_t before = read.stream.rows();
      const bool is_row = !read(mutated(good(t), random)).empty();
      ASSERT_EQ(read.stream.rows(), before + (is_row ? 1 : 0));
      const std::string line = read(good(t));
      ASSERT_TRUE(line.starts_with("{\"row\":" + std::to_string(read.stream.rows()) + ",")) << t;
      ASSERT_EQ(read.stream.outcome().invalid, "") << t;
      if (t == 0 && !read.stream.has_columns()) continue;
      ASSERT_EQ(line.find("\"forecast\":null"), std::string::npos) << line;
    }
    EXPECT_GT(read.stream.invalid_rows(), static_cast<std::uint64_t>(mutations / 10));
  }
}

}  // namespace
}  // namespace elastane
