// elastane/serve/session.cpp
#include "elastane/serve/session.h"

#include <gtest/gtest.h>

#include "elastane/forecast/forecast_lines.h"
#include "tests/serve/small_service.h"

namespace elastane::serve {
namespace {

std::vector<std::byte> bytes_of(const std::vector<ForecastRecord>& forecasts) {
  return to_bytes(ForecastBatch{.id = "x", .forecasts = forecasts});
}

TEST(Session, ForecastsDoNotDependOnThePiecesOrOnSnapshotsInBetween) {
  const auto model = small_forecaster(60);
  Session whole(model, {.late = 5}), pieces(model, {.late = 5});
  auto expected = whole.feed(small_batch("a", 1, 40)).forecasts;
  std::vector<ForecastRecord> found;
  for (int first = 1; first <= 40; first += 4) {
    for (const auto& each : pieces.feed(small_batch("a", static_cast<std::uint64_t>(first), 4)).forecasts) {
      found.push_back(each);
    }
    const auto snapshot = pieces.snapshot("a").value();
    pieces = Session(model, {.late = 5});
    EXPECT_EQ(pieces.restore(snapshot).value(), "a");
    EXPECT_EQ(to_bytes(pieces.forecast("a").value()), to_bytes(found.back()));
  }
  EXPECT_EQ(bytes_of(found), bytes_of(expected));
}

TEST(Session, LinesAreThoseOfRowStreamWithoutMicros) {
  const auto model = small_forecaster(60);
  Session session(model, {.late = 3});
  RowStream run(model, {.format = RowFormat::csv, .late = 3});
  ASSERT_FALSE(run.feed_line("unique_id,time,a,b").value());
  std::string found, expected;
  std::uint64_t number = 0;
  for (const int tick : {0, 1, 2, 4, 5, 3, 6, 1, 9, 8, 10}) {
    const auto row = small_row(tick);
    ASSERT_TRUE(
        run.feed_line("s," + std::to_string(60 * tick) + "," + std::to_string(row[0]) + "," + std::to_string(row[1]))
            .value());
    std::string report;
    append_report(run.outcome(), false, report);
    append_json_line({.row = ++number,
                      .id = &run.outcome().id,
                      .time = run.outcome().time,
                      .targets = 1,
                      .forecast = run.outcome().forecaster->forecast(),
                      .lower = run.outcome().forecaster->lower(),
                      .upper = run.outcome().forecaster->upper(),
                      .report = report},
                     expected);
    const RowBatch batch{.id = "s",
                         .first = number,
                         .times = {60.0 * tick},
                         .values = {std::stod(std::to_string(row[0])), std::stod(std::to_string(row[1]))}};
    const auto fed = session.feed(batch);
    ASSERT_EQ(fed.forecasts.size(), 1U);
    append_line("s", fed.forecasts[0], 1, found);
  }
  EXPECT_EQ(found, expected);
  EXPECT_NE(found.find("\"late\":true"), std::string::npos);
  EXPECT_NE(found.find("\"bad\":true"), std::string::npos);
  EXPECT_EQ(found.find("micros"), std::string::npos);
}

TEST(Session, RepeatsAndGapsChangeNothing) {
  Session session(small_forecaster(60), {});
  const auto first = session.feed(small_batch("a", 1, 6)).forecasts;
  EXPECT_EQ(session.feed(small_batch("a", 2, 5)).outcome, Fed::Outcome::repeated);
  EXPECT_EQ(session.feed(small_batch("a", 8, 1)).outcome, Fed::Outcome::gap);
  EXPECT_EQ(session.feed(small_batch("b", 2, 1)).outcome, Fed::Outcome::gap);
  EXPECT_EQ(session.last_row("a"), 6U);
  EXPECT_EQ(session.size(), 1U);
  // rows 5 to 8, of which 5 and 6 are known
  const auto rest = session.feed(small_batch("a", 5, 4));
  ASSERT_EQ(rest.forecasts.size(), 2U);
  EXPECT_EQ(rest.forecasts[0].number, 7U);
}

TEST(Session, LimitsAndMisfitsAreRefused) {
  Session session(small_forecaster(60), {.most_streams = 2});
  EXPECT_EQ(session.feed(small_batch("a", 1, 1)).outcome, Fed::Outcome::fed);
  EXPECT_EQ(session.feed(small_batch("b", 1, 1)).outcome, Fed::Outcome::fed);
  EXPECT_EQ(session.feed(small_batch("c", 1, 1)).outcome, Fed::Outcome::full);
  EXPECT_EQ(session.feed({.id = "a", .first = 2, .times = {1}, .values = {1}}).outcome, Fed::Outcome::misfit);
  EXPECT_TRUE(session.erase("a"));
  EXPECT_FALSE(session.erase("a"));
  EXPECT_EQ(session.feed(small_batch("c", 1, 1)).outcome, Fed::Outcome::fed);
}

TEST(Session, ASnapshotThatIsDamagedOrOfAnotherModelIsRefused) {
  Session session(small_forecaster(60), {}), other(small_forecaster(30), {});
  session.feed(small_batch("a", 1, 3));
  auto bytes = session.snapshot("a").value();
  EXPECT_FALSE(session.snapshot("b"));
  EXPECT_EQ(other.restore(bytes) ? "fits" : "refused",
            session.fingerprint() == other.fingerprint() ? "fits" : "refused");
  bytes[bytes.size() / 2] ^= std::byte{1};
  EXPECT_FALSE(session.restore(bytes));
  EXPECT_EQ(session.last_row("a"), 3U);
}

}  // namespace
}  // namespace elastane::serve
