// elastane/serve/nats/members.cpp
#include "elastane/serve/nats/members.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace elastane::serve {
namespace {

TEST(Members, EveryPartitionHasOneOwnerAndNoWorkerMoreThanItsShare) {
  for (int workers = 1; workers <= 7; ++workers) {
    std::vector<std::string> names;
    for (int i = 0; i < workers; ++i) names.push_back("w" + std::to_string(i));
    const auto owners = assign_partitions(16, names);
    for (const std::string& name : names) {
      EXPECT_LE(std::ranges::count(owners, name), (16 + workers - 1) / workers);
    }
    EXPECT_EQ(std::ranges::count(owners, ""), 0);
  }
  EXPECT_EQ(assign_partitions(3, {}), (std::vector<std::string>(3)));
}

TEST(Members, AWorkerThatLeavesMovesLittleMoreThanItsOwn) {
  const auto before = assign_partitions(60, {"a", "b", "c", "d", "e"}),
             after = assign_partitions(60, {"a", "b", "c", "e"});
  int moved = 0;
  for (std::size_t p = 0; p < before.size(); ++p) moved += before[p] != "d" && before[p] != after[p] ? 1 : 0;
  EXPECT_LE(moved, 12);
}

TEST(Members, SilenceIsJudgedByTheListenersClock) {
  Members members(1.5);
  const auto start = Members::Clock::now();
  members.heard("a", start);
  members.heard("b", start + std::chrono::seconds(1));
  EXPECT_EQ(members.alive(start + std::chrono::seconds(2)), std::vector<std::string>{"b"});
  members.left("b");
  EXPECT_TRUE(members.alive(start + std::chrono::seconds(2)).empty());
}

TEST(Members, OneThatWasSlowMayBeSilentForLongerOneThatBeganAgainMayNot) {
  Members members(1);
  const auto start = Members::Clock::now();
  const auto at = [&](double seconds) {
    return start + std::chrono::duration_cast<Members::Clock::duration>(std::chrono::duration<double>(seconds));
  };
  members.heard("slow", at(0), {}, "run1");
  members.heard("new", at(0), {}, "run1");
  members.heard("slow", at(2), {}, "run1");
  members.heard("new", at(2), {}, "run2");
  EXPECT_EQ(members.alive(at(3.5)), std::vector<std::string>{"slow"});
  EXPECT_EQ(members.alive(at(5.9)), std::vector<std::string>{"slow"});
  EXPECT_TRUE(members.alive(at(6.1)).empty());
  for (int i = 1; i <= 400; ++i) members.heard("slow", at(2 + 0.25 * i), {}, "run1");  // it fades
  EXPECT_EQ(members.alive(at(102.9)), std::vector<std::string>{"slow"});
  EXPECT_TRUE(members.alive(at(103.2)).empty());
  members.heard("slow", at(1000), {}, "run1");
  EXPECT_TRUE(members.alive(at(1005.1)).empty());  // five times, not more
}

TEST(Members, APartitionIsHeldByAnotherOnlyWhileThatOneIsHeard) {
  Members members(1.5);
  const auto start = Members::Clock::now();
  members.heard("a", start, {1, 2});
  members.heard("b", start, {3});
  EXPECT_TRUE(members.is_held(1, "b", start));
  EXPECT_FALSE(members.is_held(1, "a", start));  // by itself
  EXPECT_FALSE(members.is_held(4, "b", start));
  EXPECT_FALSE(members.is_held(1, "b", start + std::chrono::seconds(2)));  // silent
  members.heard("a", start, {2});
  EXPECT_FALSE(members.is_held(1, "b", start));  // given up
  members.left("a");
  EXPECT_FALSE(members.is_held(2, "b", start));
}

}  // namespace
}  // namespace elastane::serve
