// elastane/serve/nats/stored_forecasts.cpp
#include "elastane/serve/nats/stored_forecasts.h"

#include <gtest/gtest.h>

#include <set>

#include "elastane/core/base/random.h"

namespace elastane::serve {
namespace {

TEST(StoredForecasts, ALogWithoutGapsIsOneRangeHoweverLong) {
  StoredForecasts stored;
  HashRoom room{.left = 0};
  for (std::uint64_t n = 1; n <= 100'000; ++n) stored.add(n, {}, room);
  EXPECT_EQ(stored.ranges(), 1U);
  EXPECT_EQ(stored.last(), 100'000U);
  EXPECT_FALSE(stored.contains(0));
  EXPECT_FALSE(stored.contains(100'001));
}

TEST(StoredForecasts, KnowsWhatIsThereInWhateverOrderItCame) {
  Random random(3);
  for (int trial = 0; trial < 50; ++trial) {
    StoredForecasts stored;
    HashRoom room{.left = 5};
    std::set<std::uint64_t> all;
    for (int i = 0; i < 60; ++i) {
      const auto number = static_cast<std::uint64_t>(random.uniform(1, 90));
      stored.add(number, {}, room);
      all.insert(number);
    }
    std::size_t ranges = 0;
    for (std::uint64_t n = 1; n <= 91; ++n) {
      EXPECT_EQ(stored.contains(n), all.contains(n)) << n;
      ranges += all.contains(n) && !all.contains(n - 1) ? 1 : 0;
    }
    EXPECT_EQ(stored.ranges(), ranges) << "neighbours are one range";
    EXPECT_EQ(stored.last(), *all.rbegin());
  }
}

TEST(StoredForecasts, HashesAreKeptWhileThereIsRoomAndTakenOnce) {
  StoredForecasts one, other;
  HashRoom room{.left = 2};
  one.add(1, {.hash = 11, .sequence = 101}, room);
  other.add(1, {.hash = 21, .sequence = 102}, room);
  one.add(2, {.hash = 12, .sequence = 103}, room);
  EXPECT_FALSE(one.take(2, room)) << "no room was left";
  EXPECT_TRUE(one.contains(2)) << "but it is there";
  one.add(1, {.hash = 31, .sequence = 104}, room);
  const auto taken = one.take(1, room);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->hash, 31U) << "the last one counts";
  EXPECT_EQ(taken->sequence, 104U);
  EXPECT_FALSE(one.take(1, room));
  EXPECT_EQ(room.left, 1U);
}

}  // namespace
}  // namespace elastane::serve
