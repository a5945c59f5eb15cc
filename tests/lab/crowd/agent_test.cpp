// lab/crowd/corrected_agent.h: crosses, repeatably and without asking for memory.
#include <gtest/gtest.h>

#include "lab/crowd/corrected_agent.h"
#include "tests/realtime/interpose.h"

namespace elastane::crowd {
namespace {

Crossing cross(std::uint64_t seed, Agent& agent) {
  Crossing crossing(random_scene(seed));
  agent.reset();
  while (!crossing.ended()) crossing.step(agent.act(crossing.view()));
  return crossing;
}

TEST(CorrectedAgent, ReachesTheGoalMoreOftenAndSoonerThanOrca) {
  CorrectedAgent ours({}, 5);
  OrcaAgent orca(0.2, 5);
  int reached = 0, by_orca = 0;
  double sooner = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Crossing one = cross(seed, ours), other = cross(seed, orca);
    reached += one.end() == End::reached ? 1 : 0, by_orca += other.end() == End::reached ? 1 : 0;
    if (one.end() == End::reached && other.end() == End::reached) sooner += other.time() - one.time();
  }
  EXPECT_GE(reached, 59);
  EXPECT_GT(reached, by_orca);
  EXPECT_GT(sooner, 0);
}

TEST(CorrectedAgent, DoesTheSameAgainAfterOtherCrossings) {
  CorrectedAgent fresh({}, 5), used({}, 5);
  cross(1, used);
  cross(2, used);
  const Crossing one = cross(3, fresh), other = cross(3, used);
  EXPECT_EQ(one.time(), other.time());
  EXPECT_EQ(one.nearest(), other.nearest());
}

TEST(CorrectedAgent, WithoutPeopleGoesStraight) {
  CorrectedAgent ours({}, 0);
  Crossing crossing({});
  while (!crossing.ended()) crossing.step(ours.act(crossing.view()));
  EXPECT_EQ(crossing.end(), End::reached);
  EXPECT_LE(crossing.time(), 8.5);
}

TEST(CorrectedAgent, AsksForNoMemoryWhileItCrosses) {
  if (!kCanWatch) GTEST_SKIP() << "sanitizers have an allocator of their own";
  CorrectedAgent ours({}, 5);
  Crossing crossing(random_scene(1));
  watch();
  while (!crossing.ended()) crossing.step(ours.act(crossing.view()));
  EXPECT_EQ(unwatch().allocations, 0);
}

TEST(CorrectedAgent, RefusesOptionsThatMeanNothing) {
  EXPECT_TRUE(validate(CorrectedOptions{}));
  EXPECT_FALSE(validate(CorrectedOptions{.shape = {.knots = 0}}));
  EXPECT_FALSE(validate(CorrectedOptions{.shape = {.knots = 20, .hold = 2}}));
  EXPECT_FALSE(validate(CorrectedOptions{.way = {.people = -1}}));
  EXPECT_FALSE(validate(CorrectedOptions{.depth = -1}));
  EXPECT_EQ(validate(CorrectedOptions{.starts = -1}).error(), "[crowd] starts: expected 0 to 100, found -1");
}

}  // namespace
}  // namespace elastane::crowd
