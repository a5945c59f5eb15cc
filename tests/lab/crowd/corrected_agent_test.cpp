// lab/crowd/corrected_agent.h: crosses, repeatably and without allocating.
#include <gtest/gtest.h>

#include "lab/crowd/corrected_agent.h"
#include "tests/realtime/interpose.h"

namespace elastane::crowd {
namespace {

Environment cross(std::uint64_t seed, Agent& agent) {
  Environment environment(draw_episode(seed));
  agent.begin();
  while (!environment.over()) environment.step(agent.act(environment.observe()));
  return environment;
}

TEST(CorrectedAgent, ReachesTheGoalMoreOftenAndSoonerThanOrca) {
  CorrectedAgent ours({}, 5);
  OrcaAgent orca(0.2, 5);
  int reached = 0, by_orca = 0;
  double sooner = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Environment one = cross(seed, ours), other = cross(seed, orca);
    reached += one.ending() == Ending::reached ? 1 : 0, by_orca += other.ending() == Ending::reached ? 1 : 0;
    if (one.ending() == Ending::reached && other.ending() == Ending::reached) sooner += other.time() - one.time();
  }
  EXPECT_GE(reached, 59);
  EXPECT_GT(reached, by_orca);
  EXPECT_GT(sooner, 0);
}

TEST(CorrectedAgent, DoesNotDependOnEarlierEpisodes) {
  CorrectedAgent fresh({}, 5), used({}, 5);
  cross(1, used);
  cross(2, used);
  const Environment one = cross(3, fresh), other = cross(3, used);
  EXPECT_EQ(one.time(), other.time());
  EXPECT_EQ(one.nearest(), other.nearest());
}

TEST(CorrectedAgent, WithoutPeopleGoesStraight) {
  CorrectedAgent ours({}, 0);
  Environment environment({});
  while (!environment.over()) environment.step(ours.act(environment.observe()));
  EXPECT_EQ(environment.ending(), Ending::reached);
  EXPECT_LE(environment.time(), 8.5);
}

TEST(CorrectedAgent, DoesNotAllocateWhileItCrosses) {
  if (!kCanWatch) GTEST_SKIP() << "sanitizers have an allocator of their own";
  CorrectedAgent ours({}, 5);
  Environment environment(draw_episode(1));
  watch();
  while (!environment.over()) environment.step(ours.act(environment.observe()));
  EXPECT_EQ(unwatch().allocations, 0);
}

TEST(CorrectedAgent, RefusesOptionsOutOfRange) {
  EXPECT_TRUE(validate(CorrectedOptions{}));
  EXPECT_FALSE(validate(CorrectedOptions{.shape = {.knots = 0}}));
  EXPECT_FALSE(validate(CorrectedOptions{.shape = {.knots = 20, .hold = 2}}));
  EXPECT_FALSE(validate(CorrectedOptions{.weights = {.people = -1}}));
  EXPECT_FALSE(validate(CorrectedOptions{.wait = 99}));
  EXPECT_FALSE(validate(CorrectedOptions{.depth = -1}));
  EXPECT_EQ(validate(CorrectedOptions{.starts = -1}).error(), "[crowd] starts: expected 0 to 100, found -1");
}

}  // namespace
}  // namespace elastane::crowd
