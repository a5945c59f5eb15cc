// elastane/serve/local_service.cpp
#include "elastane/serve/local_service.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "tests/serve/small_service.h"

namespace elastane::serve {
namespace {

// a service in a folder, with calls that wait
struct Running {
  explicit Running(const std::string& folder, LocalOptions options = {}, double step = 60) {
    options.folder = folder;
    service = LocalService::open(options, small_model_file(step)).value();
    service->listen({});
  }
  FeedReply feed(const RowBatch& rows, bool waits_for_disk = false) {
    std::promise<FeedReply> promise;
    EXPECT_TRUE(service->feed({rows, waits_for_disk, [&](FeedReply reply) { promise.set_value(std::move(reply)); }}));
    return promise.get_future().get();
  }
  std::vector<ForecastRecord> read(const std::string& id, std::uint64_t from, std::size_t most = 1000) {
    std::promise<std::vector<ForecastRecord>> promise;
    EXPECT_TRUE(service->read(id, from, most, [&](auto found) { promise.set_value(std::move(found).value()); }));
    return promise.get_future().get();
  }
  template <class Call>
  Status wait(const Call& call) {
    std::promise<Status> promise;
    EXPECT_TRUE(call([&](const Status& status) { promise.set_value(status); }));
    return promise.get_future().get();
  }
  std::unique_ptr<LocalService> service;
};

std::string lines(const std::vector<ForecastRecord>& forecasts) {
  std::string text;
  for (const auto& each : forecasts) append_line("x", each, 1, text);
  return text;
}

std::string expected_lines(const std::string& id, int rows, double step = 60) {
  Session session(small_forecaster(step), {});
  return lines(session.feed(small_batch(id, 1, rows)).forecasts);
}

TEST(LocalService, RowsThatWereAnsweredAreThereAfterARestart) {
  const TestFolder folder;
  LocalOptions options;
  options.partition.snapshot_rows = 5;
  for (std::uint64_t first = 1; first <= 25; first += 6) {
    Running running(folder.path(), options);
    for (const char* id : {"a", "bb", "ccc"}) {
      EXPECT_EQ(running.feed(small_batch(id, first, 6)).kind, FeedReply::Kind::forecast);
    }
    EXPECT_EQ(running.service->stream_count(), 3U);
  }
  Running running(folder.path(), options);
  for (const char* id : {"a", "bb", "ccc"}) EXPECT_EQ(lines(running.read(id, 1)), expected_lines(id, 30)) << id;
}

TEST(LocalService, LostForecastsAndSnapshotsAreRecomputed) {
  const TestFolder folder;
  { Running(folder.path()).feed(small_batch("a", 1, 20)); }
  for (const char* part : {"0", "1"}) {
    std::filesystem::remove(folder.path() + "/" + part + "/forecasts.log");
    std::filesystem::remove_all(folder.path() + "/" + part + "/snapshots");
  }
  EXPECT_EQ(lines(Running(folder.path()).read("a", 1)), expected_lines("a", 20));
}

TEST(LocalService, AStoredForecastThatDiffersStopsTheStart) {
  const TestFolder folder;
  LocalOptions options;
  options.partitions = 1;
  { Running(folder.path(), options).feed(small_batch("a", 1, 20)); }
  options.folder = folder.path();
  options.partition.session.forecaster.gate.kind = Gate::never;  // another forecast
  const auto opened = LocalService::open(options, small_model_file());
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().find("stored:"), std::string::npos) << opened.error();
  EXPECT_NE(opened.error().find("recomputed:"), std::string::npos);
}

TEST(LocalService, RepeatedRowsGetTheForecastsThatWereStored) {
  const TestFolder folder;
  Running running(folder.path());
  const auto first = running.feed(small_batch("a", 1, 4));
  const auto again = running.feed(small_batch("a", 1, 4));
  EXPECT_EQ(lines(again.forecasts), lines(first.forecasts));
  const auto overlapping = running.feed(small_batch("a", 3, 4));
  EXPECT_EQ(lines(first.forecasts).substr(0, 10), lines(running.read("a", 1, 1)).substr(0, 10));
  EXPECT_EQ(overlapping.last, 6U);
  EXPECT_EQ(overlapping.forecasts.size(), 4U);
  EXPECT_EQ(lines(running.read("a", 1)), expected_lines("a", 6));
  const auto gap = running.feed(small_batch("a", 9, 1));
  EXPECT_EQ(gap.kind, FeedReply::Kind::gap);
  EXPECT_EQ(gap.last, 6U);
  EXPECT_EQ(running.feed(small_batch("a", 7, 1), true).kind, FeedReply::Kind::stored);
}

TEST(LocalService, StreamsAreErasedRestoredAndLimited) {
  const TestFolder folder;
  LocalOptions options;
  options.partition.session.most_streams = 2;
  std::vector<std::byte> state;
  {
    Running running(folder.path(), options);
    running.feed(small_batch("a", 1, 5));
    running.feed(small_batch("b", 1, 5));
    EXPECT_EQ(running.feed(small_batch("c", 1, 1)).kind, FeedReply::Kind::full);
    std::promise<std::vector<std::byte>> taken;
    running.service->snapshot("a", [&](auto found) { taken.set_value(found.value().value()); });
    state = taken.get_future().get();
    EXPECT_TRUE(running.wait([&](auto done) { return running.service->erase("a", done); }));
    EXPECT_FALSE(running.wait([&](auto done) { return running.service->erase("a", done); }));
    EXPECT_EQ(running.feed(small_batch("c", 1, 1)).kind, FeedReply::Kind::forecast);
    EXPECT_TRUE(running.wait([&](auto done) { return running.service->erase("b", done); }));
    EXPECT_FALSE(running.wait([&](auto done) { return running.service->restore("other", state, done); }));
    EXPECT_TRUE(running.wait([&](auto done) { return running.service->restore("a", state, done); }));
    running.feed(small_batch("a", 6, 3));
  }
  Running running(folder.path(), options);
  EXPECT_EQ(running.service->stream_count(), 2U);
  Session whole(small_forecaster(60), {});
  const auto all = whole.feed(small_batch("a", 1, 8)).forecasts;
  EXPECT_EQ(lines(running.read("a", 6)), lines({all.begin() + 5, all.end()}));
}

TEST(LocalService, AfterASwapForecastsAreThoseOfTheOtherModelOverAllRows) {
  const TestFolder folder;
  // the same channels, another grid of times: another model
  const auto other = small_model_file(30);
  std::string name;
  {
    Running running(folder.path());
    running.feed(small_batch("a", 1, 10));
    running.feed(small_batch("bb", 1, 10));
    ASSERT_TRUE(running.wait([&](auto done) { return running.service->swap_model(other, done); }));
    name = running.service->info().model;
    running.feed(small_batch("a", 11, 10));
    EXPECT_FALSE(running.wait([&](auto done) { return running.service->swap_model({std::byte{1}}, done); }));
  }
  Running running(folder.path());
  EXPECT_EQ(running.service->info().model, name);
  running.feed(small_batch("a", 21, 5));
  Session before(small_forecaster(60), {}), after(small_forecaster(30), {});
  const auto old = before.feed(small_batch("a", 1, 25)).forecasts, now = after.feed(small_batch("a", 1, 25)).forecasts;
  const std::string expected = lines({old.begin(), old.begin() + 10}) + lines({now.begin() + 10, now.end()});
  EXPECT_EQ(lines(running.read("a", 1)), expected);
  EXPECT_NE(lines(old), lines(now));
}

TEST(LocalService, NoRowIsWithoutAForecastWhileTheModelIsSwapped) {
  const TestFolder folder;
  constexpr int kRows = 300;
  {
    Running running(folder.path());
    std::atomic<int> fed = 0;
    std::thread source([&] {
      for (int i = 1; i <= kRows; ++i) {
        for (const char* id : {"a", "bb"}) {
          const auto reply = running.feed(small_batch(id, static_cast<std::uint64_t>(i), 1));
          EXPECT_EQ(reply.forecasts.size(), 1U);
        }
        fed = i;
      }
    });
    while (fed < 50) std::this_thread::yield();
    EXPECT_TRUE(running.wait([&](auto done) { return running.service->swap_model(small_model_file(30), done); }));
    source.join();
  }
  Running running(folder.path());
  for (const std::string id : {"a", "bb"}) {
    Session before(small_forecaster(60), {}), after(small_forecaster(30), {});
    const auto old = before.feed(small_batch(id, 1, kRows)).forecasts,
               now = after.feed(small_batch(id, 1, kRows)).forecasts;
    const auto found = running.read(id, 1);
    ASSERT_EQ(found.size(), static_cast<std::size_t>(kRows));
    std::size_t at = 0;
    while (at < found.size() && to_bytes(found[at]) == to_bytes(old[at])) at += 1;
    EXPECT_GE(at, 50U);
    for (; at < found.size(); ++at) EXPECT_EQ(to_bytes(found[at]), to_bytes(now[at])) << id << " " << at;
  }
}

TEST(LocalService, AFullQueueRefuses) {
  const TestFolder folder;
  LocalOptions options;
  options.folder = folder.path();
  options.partitions = 1;
  options.partition.queue = 3;
  const auto service = LocalService::open(options, small_model_file()).value();  // not started: nothing is taken out
  for (int i = 0; i < 5; ++i) EXPECT_EQ(service->feed({small_batch("a", 0, 1), false, [](const FeedReply&) {}}), i < 3);
}

}  // namespace
}  // namespace elastane::serve
