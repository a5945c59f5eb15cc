// elastane/forecast/late_rows.cpp
#include "elastane/forecast/late_rows.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/forecast/small_forecaster.h"

namespace elastane {
namespace {

struct Stream {
  explicit Stream(std::uint64_t window) : late(window) { late.start(forecaster); }
  void observe(int tick) {
    const auto at = static_cast<std::uint64_t>(tick);
    forecaster.observe_at(at, small_row(tick));
    late.record_row({at, false, small_row(tick)}, forecaster);
  }
  std::vector<double> state() const { return {forecaster.state().begin(), forecaster.state().end()}; }

  Forecaster forecaster{small_forecaster()};
  LateRows late;
};

TEST(LateRows, AnInsertedRowLeavesTheStateOfARowThatArrivedInTime) {
  Stream in_time(6), late(6);
  for (int t = 0; t < 40; ++t) in_time.observe(t);
  for (int t = 0; t < 40; ++t) {
    if (t != 20) late.observe(t);
    if (t != 24) continue;
    ASSERT_TRUE(late.late.accepts(20, late.forecaster));
    late.late.insert_row({20, false, small_row(20)}, {}, late.forecaster);
  }
  EXPECT_EQ(late.state(), in_time.state());
  EXPECT_TRUE(std::ranges::equal(late.forecaster.forecast(), in_time.forecaster.forecast()));
}

TEST(LateRows, ALongWindowCostsNoMoreThanTheRowIsLate) {
  Stream in_time(2000), late(2000);
  for (int t = 0; t < 300; ++t) in_time.observe(t);
  for (int t = 0; t < 300; ++t) {
    if (t % 50 != 20) late.observe(t);
    if (t % 50 != 22 && t % 50 != 40) continue;
    // two rows late, and, for every other row, twenty
    const auto tick = static_cast<std::uint64_t>(t - t % 50 + 20);
    if ((t / 50 % 2 == 0) != (t % 50 == 22)) continue;
    ASSERT_TRUE(late.late.accepts(tick, late.forecaster));
    const std::uint64_t before = late.forecaster.rows();
    late.late.insert_row({tick, false, small_row(static_cast<int>(tick))}, {}, late.forecaster);
    EXPECT_EQ(late.forecaster.rows(), before + 1);
    EXPECT_LE(late.late.replayed(), t % 50 == 22 ? 36U : 160U);
  }
  EXPECT_EQ(late.state(), in_time.state());
}

TEST(LateRows, AcceptsRowsWithinTheWindowAtTicksWithoutRows) {
  Stream stream(5);
  for (const int t : {0, 1, 2, 10, 11, 12}) stream.observe(t);
  EXPECT_TRUE(stream.late.accepts(8, stream.forecaster));
  EXPECT_FALSE(stream.late.accepts(10, stream.forecaster));
  EXPECT_FALSE(stream.late.accepts(6, stream.forecaster));
  Stream none(0);
  none.observe(3);
  EXPECT_FALSE(none.late.accepts(2, none.forecaster));
}

TEST(LateRows, ARestoredWindowAcceptsTheSameRows) {
  Stream stream(6);
  for (int t = 0; t < 30; ++t) {
    if (t != 27) stream.observe(t);
  }
  LateRowsSnapshot saved;
  stream.late.save(saved);
  Stream restored(6);
  ASSERT_TRUE(restored.forecaster.restore(stream.state()));
  ASSERT_TRUE(restored.late.restore(saved, restored.forecaster));
  for (Stream* each : {&stream, &restored}) {
    ASSERT_TRUE(each->late.accepts(27, each->forecaster));
    each->late.insert_row({27, false, small_row(27)}, {}, each->forecaster);
  }
  EXPECT_EQ(restored.state(), stream.state());
}

TEST(LateRows, RefusesSnapshotsThatDoNotFit) {
  Stream stream(6);
  for (int t = 0; t < 30; ++t) stream.observe(t);
  LateRowsSnapshot saved;
  stream.late.save(saved);
  LateRowsSnapshot other_tick = saved, unordered = saved;
  other_tick.older_tick += 1;
  EXPECT_FALSE(stream.late.restore(other_tick, stream.forecaster));
  std::ranges::reverse(unordered.rows);
  EXPECT_FALSE(stream.late.restore(unordered, stream.forecaster));
  EXPECT_TRUE(stream.late.restore(saved, stream.forecaster));
}

}  // namespace
}  // namespace elastane
