// elastane/forecast/series_stream.cpp
#include "elastane/forecast/series_stream.h"

#include <gtest/gtest.h>

#include "tests/forecast/small_forecaster.h"

namespace elastane {
namespace {

constexpr double kStep = 60;  // seconds per row

SeriesStream timed(std::uint64_t late = 0) { return {Forecaster(small_forecaster(kStep)), true, late}; }

RowResult observe(SeriesStream& stream, int tick) { return stream.observe_row(kStep * tick, small_row(tick), {}); }

TEST(SeriesStream, TicksAreCountedFromTheOriginOfTheGrid) {
  const TimeGrid grid{.origin = 1000, .step = 10};
  EXPECT_EQ(tick_of(grid, 1000), 0U);
  EXPECT_EQ(tick_of(grid, 1026), 3U);
  EXPECT_FALSE(tick_of(grid, 900));
  EXPECT_FALSE(tick_of(grid, 1e300));
  EXPECT_FALSE(tick_of(grid, NAN));
}

TEST(SeriesStream, GapsAreMissingRows) {
  SeriesStream stream = timed();
  Forecaster expected(small_forecaster(kStep));
  for (const int t : {3, 4, 9}) {
    EXPECT_EQ(observe(stream, t).rejected, "");
    expected.observe_at(static_cast<std::uint64_t>(t), small_row(t));
  }
  EXPECT_EQ(stream.forecaster().tick(), 10U);
  EXPECT_EQ(stream.forecaster().forecast()[0], expected.forecast()[0]);
}

TEST(SeriesStream, RowsWithoutTimesHaveTheNextTick) {
  SeriesStream stream(Forecaster(small_forecaster()), false, 0);
  for (int t = 0; t < 5; ++t) stream.observe_row(NAN, small_row(t), {});
  stream.observe_unreadable_row(NAN, {});
  EXPECT_EQ(stream.forecaster().tick(), 6U);
}

TEST(SeriesStream, ATimeFarAheadIsAcceptedOnceTwoMoreRowsConfirmIt) {
  SeriesStream stream = timed();
  observe(stream, 3);
  const int far = 3 + 2 * static_cast<int>(kLongGap);
  EXPECT_NE(observe(stream, far).rejected, "");
  EXPECT_EQ(observe(stream, 4).rejected, "");
  EXPECT_NE(observe(stream, far).rejected, "");
  EXPECT_NE(observe(stream, far + 1).rejected, "");
  EXPECT_EQ(observe(stream, far + 2).rejected, "");
  EXPECT_EQ(observe(stream, far + 3).rejected, "");
}

TEST(SeriesStream, RowsThatContinueThePastUndoAWrongTime) {
  const int far = 3 + 2 * static_cast<int>(kLongGap);
  for (const bool is_first : {false, true}) {
    SeriesStream stream = timed();
    for (int t = 0; !is_first && t < 10; ++t) observe(stream, t);
    for (int t = 0; t < 3; ++t) observe(stream, far + t);
    ASSERT_GT(stream.forecaster().tick(), kLongGap);
    int rejected = 0;
    for (int t = 10; t < 30; ++t) rejected += observe(stream, t).rejected.empty() ? 0 : 1;
    EXPECT_LE(rejected, 3);
    EXPECT_EQ(stream.forecaster().tick(), 30U);
  }
}

TEST(SeriesStream, OldRowsThatAreRepeatedStayRejected) {
  SeriesStream stream = timed();
  for (int t = 0; t < 200; ++t) observe(stream, t);
  for (int t = 0; t < 200; ++t) EXPECT_NE(observe(stream, t).rejected, "");
  EXPECT_EQ(stream.forecaster().tick(), 200U);
}

TEST(SeriesStream, LateRowsAreInsertedWithinTheWindow) {
  SeriesStream strict = timed(), lenient = timed(8);
  for (SeriesStream* stream : {&strict, &lenient}) {
    for (const int t : {3, 4, 5, 7, 8}) observe(*stream, t);
  }
  EXPECT_NE(observe(strict, 6).rejected, "");
  const RowResult result = observe(lenient, 6);
  EXPECT_EQ(result.rejected, "");
  EXPECT_TRUE(result.is_late);
  EXPECT_NE(observe(lenient, 6).rejected, "");
}

TEST(SeriesStream, AnUnreadableRowNeverReplacesAnother) {
  SeriesStream stream = timed(8);
  for (const int t : {3, 4, 5}) observe(stream, t);
  stream.observe_unreadable_row(kStep * 4, {});
  stream.observe_unreadable_row(NAN, {});
  EXPECT_EQ(stream.forecaster().tick(), 6U);
  stream.observe_unreadable_row(kStep * 6, {});
  EXPECT_EQ(stream.forecaster().tick(), 7U);
  // a late row may take its place
  EXPECT_TRUE(observe(stream, 6).is_late);
}

TEST(SeriesStream, ContinuesFromASnapshot) {
  SeriesStream stream = timed(4), restored = timed(4);
  for (const int t : {3, 4, 6, 7}) observe(stream, t);
  SeriesStreamSnapshot saved;
  stream.save(saved);
  ASSERT_TRUE(restored.restore(saved));
  for (const int t : {8, 5, 9}) {
    observe(stream, t);
    observe(restored, t);
    EXPECT_EQ(restored.forecaster().forecast()[0], stream.forecaster().forecast()[0]) << t;
  }
}

}  // namespace
}  // namespace elastane
