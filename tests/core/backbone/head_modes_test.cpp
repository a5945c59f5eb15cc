// Tests of elastane/core/backbone/head_modes.h and .cpp: which key blocks a head reads.
#include "elastane/core/backbone/head_modes.h"

#include <gtest/gtest.h>

#include <set>

namespace elastane {
namespace {

const KeyValueWindow kSparse{
    .shape = {.heads = 1, .kv_heads = 1, .size = 4, .window = 64, .block = 16, .sink = 2, .local = 2, .turning = 5}};

// absolute positions of the keys that the query at `position` sees, from the list of rows that begin at `first`
std::multiset<std::uint64_t> keys_seen(HeadMode mode, std::uint64_t position, std::uint64_t first) {
  KeyBlock list[8];
  const int count = list_blocks(kSparse, mode, first, list);
  std::multiset<std::uint64_t> keys;
  for (int b = 0; b < count; ++b) {
    for (int j = 0; j < 16; ++j) {
      const int age = static_cast<int>(position - first) - list[b].from - j;
      if (age >= 0 && age < list[b].reach) keys.insert(position - static_cast<unsigned>(age));
    }
  }
  return keys;
}

TEST(HeadModes, AFullHeadSeesTheSinkAndTheLastStepsOfTheWindow) {
  for (std::uint64_t t = 0; t < 400; ++t) {
    std::multiset<std::uint64_t> expected;
    for (std::uint64_t s = 0; s <= t; ++s) {
      if (s < 32 || s + 64 > t) expected.insert(s);
    }
    EXPECT_EQ(keys_seen(HeadMode::full, t, t), expected) << t;
    EXPECT_EQ(keys_seen(HeadMode::full, t, t / 16 * 16), expected) << t << " with the rows of its block";
  }
}

TEST(HeadModes, AStreamingHeadSeesTheSinkAndItsNewestBlocks) {
  for (std::uint64_t t = 0; t < 400; ++t) {
    std::multiset<std::uint64_t> expected;
    for (std::uint64_t s = 0; s <= t; ++s) {
      if (s < 32 || s / 16 + 2 > t / 16) expected.insert(s);
    }
    EXPECT_EQ(keys_seen(HeadMode::stream, t, t), expected) << t;
    EXPECT_EQ(keys_seen(HeadMode::stream, t, t / 16 * 16), expected) << t;
  }
}

TEST(HeadModes, CountsWhatIsListedAndNeverMoreThanThereArePanels) {
  KeyBlock list[8];
  for (std::uint64_t t = 0; t < 400; ++t) {
    for (const HeadMode mode : {HeadMode::full, HeadMode::stream, HeadMode::blocks}) {
      const int count = list_blocks(kSparse, mode, t, list);
      EXPECT_EQ(count_blocks(kSparse, mode, t), count);
      EXPECT_LE(count, most_blocks(kSparse.shape));
      std::set<int> panels;
      for (int b = 0; b < count; ++b) panels.insert(list[b].panel);
      EXPECT_EQ(static_cast<int>(panels.size()), count) << "no panel twice";
    }
  }
}

TEST(HeadModes, WorksAtAnyPosition) {
  const std::uint64_t far = std::uint64_t{1} << 60;
  EXPECT_EQ(keys_seen(HeadMode::full, far + 5, far).size(), 32u + 64);
  EXPECT_EQ(keys_seen(HeadMode::stream, far + 5, far).size(), 32u + 16 + 6);
}

TEST(HeadModes, WithoutLocalBlocksAllHeadsAreFull) {
  KeyValueWindow window = kSparse;
  window.shape.local = 0;
  KeyBlock one[8], other[8];
  for (const std::uint64_t t : {3ULL, 77ULL, 300ULL}) {
    EXPECT_EQ(list_blocks(window, HeadMode::stream, t, one), list_blocks(window, HeadMode::full, t, other));
  }
}

}  // namespace
}  // namespace elastane
