// elastane/serve/stream_log.cpp
#include "elastane/serve/stream_log.h"

#include <gtest/gtest.h>

#include "tests/serve/small_service.h"

namespace elastane::serve {
namespace {

ForecastBatch forecasts(const std::string& id, std::uint64_t first, int count) {
  ForecastBatch batch{.id = id};
  for (int i = 0; i < count; ++i)
    batch.forecasts.push_back(
        {.number = first + static_cast<std::uint64_t>(i), .forecast = {1.0 * i}, .lower = {0}, .upper = {1}});
  return batch;
}

std::vector<std::string> replayed(const StreamLog& log, const std::map<std::string, std::uint64_t>& known = {}) {
  std::vector<std::string> seen;
  EXPECT_TRUE(log.replay(0, log.end(), log.begins(known),
                         {.rows = [&](const RowBatch& b, bool) -> Status {
                            return seen.push_back(b.id + std::to_string(b.first)), Status();
                          },
                          .restore = [](const Control&) -> Status { return {}; }}));
  return seen;
}

TEST(StreamLog, RowsForecastsAndNumbersAreThereAfterOpeningAgain) {
  const TestFolder folder;
  {
    auto log = StreamLog::open(folder.path(), UINT64_MAX).value();
    log.append(small_batch("a", 1, 3));
    log.append(small_batch("b", 1, 1));
    log.append(small_batch("a", 4, 2));
    ASSERT_TRUE(log.commit());
    log.append(forecasts("a", 1, 3));
    log.append(forecasts("a", 4, 1));
    ASSERT_TRUE(log.write_forecasts());
  }
  const auto log = StreamLog::open(folder.path(), UINT64_MAX).value();
  EXPECT_EQ(log.last_row("a"), 5U);
  EXPECT_EQ(log.last_row("b"), 1U);
  EXPECT_EQ(log.last_forecast("a"), 4U);
  EXPECT_EQ(log.last_forecast("b"), 0U);
  const auto read = log.read("a", 2, 2).value();
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[1].number, 3U);
  EXPECT_EQ(log.read("a", 3, 100).value().size(), 2U);
  EXPECT_TRUE(log.read("a", 5, 100).value().empty());
  EXPECT_EQ(replayed(log), (std::vector<std::string>{"a1", "b1", "a4"}));
}

TEST(StreamLog, AStreamThatWasErasedBeginsAgainWithOne) {
  const TestFolder folder;
  {
    auto log = StreamLog::open(folder.path(), UINT64_MAX).value();
    log.append(small_batch("a", 1, 3));
    ASSERT_TRUE(log.commit());
    log.append(forecasts("a", 1, 3));
    const auto before = log.end();
    EXPECT_TRUE(log.is_current("a", before));
    ASSERT_TRUE(log.append(Control{.kind = Control::Kind::erase, .id = "a", .data = {}}));
    EXPECT_FALSE(log.is_current("a", before));
    EXPECT_EQ(log.last_row("a"), 0U);
    log.append(small_batch("a", 1, 2));
    ASSERT_TRUE(log.commit());
  }
  const auto log = StreamLog::open(folder.path(), UINT64_MAX).value();
  EXPECT_EQ(log.last_row("a"), 2U);
  EXPECT_EQ(log.last_forecast("a"), 0U);
  EXPECT_EQ(replayed(log), (std::vector<std::string>{"a1"}));
}

TEST(StreamLog, RowsThatDoNotFitAreNotCounted) {
  const TestFolder folder;
  auto log = StreamLog::open(folder.path(), 300).value();
  log.append(small_batch("a", 1, 1));
  ASSERT_TRUE(log.commit());
  log.append(small_batch("a", 2, 50));
  log.append(small_batch("b", 1, 50));
  EXPECT_FALSE(log.commit());
  EXPECT_EQ(log.last_row("a"), 1U);
  EXPECT_EQ(log.last_row("b"), 0U);
  EXPECT_EQ(log.streams(), 1U);
}

TEST(StreamLog, SnapshotsBeyondTheRowsAreLeftOut) {
  const TestFolder folder;
  {
    auto log = StreamLog::open(folder.path(), UINT64_MAX).value();
    log.append(small_batch("a", 1, 3));
    ASSERT_TRUE(log.commit());
    ASSERT_TRUE(log.save_snapshot("a", std::as_bytes(std::span("state"))));
  }
  int found = 0;
  const auto count = [&] {
    StreamLog::open(folder.path(), UINT64_MAX).value().load_snapshots([&](auto, auto) { found += 1; });
  };
  count();
  EXPECT_EQ(found, 1);
  std::filesystem::resize_file(folder.path() + "/rows.log", 8);
  count();
  EXPECT_EQ(found, 1);
}

}  // namespace
}  // namespace elastane::serve
