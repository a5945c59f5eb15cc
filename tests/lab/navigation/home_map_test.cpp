// lab/navigation/home_map.h: the map is asked when it should be, and then knows how far it is home.
#include "lab/navigation/home_map.h"

#include <gtest/gtest.h>

#include <array>

namespace elastane::navigation {
namespace {

// no ray hits anything, and the robot is here, with the dock at (0, 0)
Observation open_ground(Vec2 place, Vec2 motion) {
  Observation made;
  made.rays.fill(kRange);
  made.goal = place * -1.0;
  made.motion = motion;
  return made;
}

constexpr std::array<Vec2, 2> kAhead = {Vec2{0.02, 0}, Vec2{0.04, 0}};

TEST(HomeMap, KnowsHowFarItIsHomeOverOpenGround) {
  HomeMap map({});
  EXPECT_TRUE(map.observe(open_ground({-0.5, 0}, {}), kAhead));
  EXPECT_NEAR(map.home({}).distance, 0.5, 0.03);
  EXPECT_NEAR(map.home({0.1, 0}).distance, 0.4, 0.03);
  EXPECT_LT(map.home({}).slope.x, -0.8);
}

TEST(HomeMap, IsAskedAfterAStallForSomeSteps) {
  HomeMap map({.when = AskMap::stalled, .ask_for = 5});
  int asked = 0;
  Vec2 place{-0.6, 0};
  for (int t = 0; t < 30; ++t) {  // drives on
    asked += map.observe(open_ground(place, t > 0 ? Vec2{kSpeed, 0} : Vec2{}), kAhead) ? 1 : 0;
    place.x += kSpeed;
  }
  EXPECT_EQ(asked, 0);
  for (int t = 0; t < 20; ++t) asked += map.observe(open_ground(place, {}), kAhead) ? 1 : 0;  // stands
  EXPECT_GT(asked, 0);
  asked = 0;
  for (int t = 0; t < 40; ++t) {
    place.x -= kSpeed;
    asked += map.observe(open_ground(place, {-kSpeed, 0}), kAhead) ? 1 : 0;
  }
  EXPECT_LT(asked, 25) << "and no longer once it drives again";
}

TEST(HomeMap, IsAskedAfterThreeProposalsThroughObstacles) {
  HomeMap map({.when = AskMap::refuted, .ask_for = 2});
  Observation wall = open_ground({-0.5, 0}, {});
  wall.rays[0] = 0.05;  // ray 0 looks along x
  const std::array<Vec2, 2> through = {Vec2{0.025, 0}, Vec2{0.05, 0}}, aside = {Vec2{0, 0.02}, Vec2{0, 0.04}};
  for (int t = 0; t < 5; ++t) EXPECT_FALSE(map.observe(wall, aside));
  EXPECT_FALSE(map.observe(wall, through));
  EXPECT_FALSE(map.observe(wall, through));
  EXPECT_TRUE(map.observe(wall, through));
  EXPECT_TRUE(map.observe(wall, aside)) << "for two steps";
  EXPECT_FALSE(map.observe(wall, aside));
}

}  // namespace
}  // namespace elastane::navigation
