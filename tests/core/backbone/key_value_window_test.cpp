// Tests of elastane/core/backbone/key_value_window.h: keys and values of a step lie in one slot each.
#include "elastane/core/backbone/key_value_window.h"

#include <gtest/gtest.h>

#include <set>

namespace elastane {
namespace {

const KeyValueWindow kWindow{
    .shape = {.heads = 2, .kv_heads = 2, .size = 3, .window = 5, .slots = padded(5), .kv_stride = padded(6)},
    .channels = 6,
    .begin = 32};

TEST(KeyValueWindow, GivesEveryKeyAndValueItsOwnFloat) {
  std::set<int> places;
  for (const RingPart& part : {kWindow.keys(), kWindow.values()}) {
    for (std::uint64_t position = 0; position < 5; ++position) {
      for (int i = 0; i < part.count; ++i) places.insert(part.first(position) + i * part.stride);
    }
  }
  EXPECT_EQ(places.size(), 2u * 5 * 6);
  EXPECT_GE(*places.begin(), kWindow.begin);
  EXPECT_LT(*places.rbegin(), kWindow.begin + kWindow.floats());
}

TEST(KeyValueWindow, ComesRoundAfterItsLength) {
  EXPECT_EQ(kWindow.keys().first(2), kWindow.keys().first(7));
  EXPECT_NE(kWindow.values().first(2), kWindow.values().first(3));
}

TEST(KeyValueWindow, FillsUpAndStaysFull) {
  EXPECT_EQ(kWindow.filled(0), 1);
  EXPECT_EQ(kWindow.filled(3), 4);
  EXPECT_EQ(kWindow.filled(4), 5);
  EXPECT_EQ(kWindow.filled(1'000'000), 5);
}

}  // namespace
}  // namespace elastane
