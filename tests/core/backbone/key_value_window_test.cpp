// Tests of elastane/core/backbone/key_value_window.h and .cpp: keys and values of a step lie in one slot each.
#include "elastane/core/backbone/key_value_window.h"

#include <gtest/gtest.h>

#include <set>

#include "elastane/core/math/reference.h"

namespace elastane {
namespace {

constexpr AttentionShape kPanels{
    .heads = 2, .kv_heads = 2, .size = 3, .window = 32, .block = 16, .sink = 1, .local = 1, .turning = 3};
const KeyValueWindow kWindow{.shape = kPanels, .begin = 32};

TEST(KeyValueWindow, GivesEveryKeyAndValueItsOwnFloat) {
  std::set<int> places;
  int floats = 0;
  for (const RingPart& part : kWindow.parts()) {
    floats += part.count;
    for (std::uint64_t position = 0; position < 4 * 16; ++position) {
      for (int i = 0; i < part.count; ++i) places.insert(part.first(position) + i * part.stride);
    }
  }
  EXPECT_EQ(static_cast<int>(places.size()), 4 * 16 * floats);
  EXPECT_GE(*places.begin(), kWindow.begin);
  EXPECT_LT(*places.rbegin(), kWindow.begin + kWindow.floats());
}

TEST(KeyValueWindow, OverwritesInTurnAndNeverTheSink) {
  const RingPart keys = kWindow.keys();
  EXPECT_EQ(keys.first(16 + 2), keys.first(16 + 48 + 2));
  EXPECT_NE(keys.first(2), keys.first(48 + 2));
  std::set<int> sink;
  for (std::uint64_t t = 0; t < 16; ++t) sink.insert(keys.first(t));
  for (std::uint64_t t = 16; t < 400; ++t) EXPECT_FALSE(sink.contains(keys.first(t)));
}

TEST(KeyValueWindow, FillsUpAndStaysFull) {
  EXPECT_EQ(kWindow.filled(0), 1);
  EXPECT_EQ(kWindow.filled(30), 31);
  EXPECT_EQ(kWindow.filled(31), 32);
  EXPECT_EQ(kWindow.filled(1'000'000), 32);
}

TEST(KeyValueWindow, HasRoomForWhatOverwritesNothingThatIsSeen) {
  for (const std::uint64_t position : {0ULL, 5ULL, 31ULL, 1000ULL}) {
    const RingPart keys = kWindow.keys();
    const std::uint64_t oldest = position > 31 ? position - 31 : 0;
    std::set<int> seen;
    for (std::uint64_t t = oldest; t < position; ++t) seen.insert(keys.slot(t));
    for (int i = 0; i < kWindow.room(position); ++i) {
      EXPECT_FALSE(seen.contains(keys.slot(position + static_cast<unsigned>(i)))) << position << " + " << i;
    }
    EXPECT_GE(kWindow.room(position), 16);
  }
}

TEST(KeyValueWindow, HoldsWhatWasWrittenRoundedInBfloat16) {
  for (const bool bfloat16 : {false, true}) {
    KeyValueWindow window = kWindow;
    window.begin = 0;
    window.shape.bfloat16 = bfloat16;
    std::vector<float> ring(static_cast<std::size_t>(window.floats()));
    const float key[] = {1, -2.5F, 1e30F, 0.3F, 4, 5}, value[] = {7, 8, 9, 10, -0.7F, 12};
    window.write(key, value, 17, ring.data());
    for (int i = 0; i < 6; ++i) {
      const float k = i == 2 ? 0 : key[i];  // what is not admissible becomes zero
      EXPECT_EQ(reference::cached_key(window.shape, ring.data(), 1, i / 3, 1, i % 3),
                bfloat16 ? from_bfloat16(to_bfloat16(k)) : k);
      EXPECT_EQ(reference::cached_value(window.shape, ring.data(), 1, i / 3, 1, i % 3),
                bfloat16 ? from_bfloat16(to_bfloat16(value[i])) : value[i]);
    }
  }
}

}  // namespace
}  // namespace elastane
