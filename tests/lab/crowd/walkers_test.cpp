// lab/crowd/walkers.h: people reach their goals and avoid each other.
#include "lab/crowd/walkers.h"

#include <gtest/gtest.h>

#include "lab/crowd/episode.h"

namespace elastane::crowd {
namespace {

TEST(Walkers, PeopleReachTheirGoalsWithoutTouchingEachOther) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Episode episode = draw_episode(seed);
    Walkers walkers(episode.people.size());
    std::vector<MovingDisc> people, next;
    std::vector<Vec2> goals;
    for (const Walk& walk : episode.people) people.push_back({walk.start, {}, kRadius}), goals.push_back(walk.goal);
    next = people;
    for (int t = 0; t < 200; ++t) {
      walkers.advance(people, goals, next);
      std::swap(people, next);
      for (std::size_t i = 0; i < people.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j)
          EXPECT_GT(norm(people[i].position - people[j].position), 2 * kRadius - 0.01);
      }
    }
    for (std::size_t i = 0; i < people.size(); ++i) EXPECT_LT(norm(people[i].position - goals[i]), 0.1);
  }
}

TEST(Walkers, PeopleWhoDoNotYieldWalkStraight) {
  const Episode episode = draw_episode(3, 5, Setting::straight_circle);
  EXPECT_FALSE(episode.yielding);
  EXPECT_TRUE(draw_episode(3).yielding);
  std::vector<MovingDisc> people, next;
  std::vector<Vec2> goals;
  for (const Walk& walk : episode.people) people.push_back({walk.start, {}, kRadius}), goals.push_back(walk.goal);
  next = people;
  for (int t = 0; t < 100; ++t) {
    walk_straight(people, goals, next);
    std::swap(people, next);
    for (std::size_t i = 0; i < people.size(); ++i) {
      const Vec2 whole = goals[i] - episode.people[i].start, done = people[i].position - episode.people[i].start;
      EXPECT_NEAR(whole.x * done.y, whole.y * done.x, 1e-9);
    }
  }
  for (std::size_t i = 0; i < people.size(); ++i) EXPECT_LT(norm(people[i].position - goals[i]), 0.1);
}

}  // namespace
}  // namespace elastane::crowd
