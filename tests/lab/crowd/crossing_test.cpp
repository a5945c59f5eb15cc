// lab/crowd/crossing.h: the rules of a crossing, and the reference's figures where its cases are at hand.
#include "lab/crowd/crossing.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <limits>

#include "elastane/core/base/random.h"
#include "lab/crowd/agent.h"
#include "tests/data.h"

namespace elastane::crowd {
namespace {

Vec2 random_vec(Random& random, double size) { return {random.uniform(-size, size), random.uniform(-size, size)}; }

TEST(Crossing, TheClosestDistanceOfAStepIsThatOfManyMomentsInIt) {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const MovingDisc a{random_vec(random, 1), random_vec(random, 1), 0.3},
        b{random_vec(random, 1), random_vec(random, 1), 0.2};
    double sampled = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= 10000; ++i) {
      const double t = kTimeStep * i / 10000;
      const Vec2 apart = b.position + t * b.velocity - a.position - t * a.velocity;
      sampled = std::min(sampled, norm(apart) - 0.5);
    }
    EXPECT_LE(closest(a, b, kTimeStep), sampled + 1e-12);
    EXPECT_NEAR(closest(a, b, kTimeStep), sampled, 1e-4);
  }
}

struct Played {
  End end;
  double time, nearest;
  bool operator==(const Played&) const = default;
};
Played play(const Scene& scene, Agent& agent) {
  Crossing crossing(scene);
  agent.reset();
  while (!crossing.ended()) crossing.step(agent.act(crossing.view()));
  return {crossing.end(), crossing.time(), crossing.nearest()};
}

TEST(Crossing, AnEmptyPlaceIsCrossedInAStraightLine) {
  StraightAgent straight;
  const Played played = play({}, straight);
  EXPECT_EQ(played.end, End::reached);
  EXPECT_EQ(played.time, 8.25);  // 7 m at 1 m/s, and slower over the last one
}

TEST(Crossing, WhoStandsStillIsTooLateAndNotSoonerOrLater) {
  Crossing crossing({});
  while (!crossing.ended()) crossing.step({});
  EXPECT_EQ(crossing.end(), End::too_late);
  EXPECT_EQ(crossing.time(), kLastStart + kTimeStep);
}

TEST(Crossing, WhatIsNoVelocityMeansToStandStillAndTooFastIsShortened) {
  Crossing crossing({});
  crossing.step({std::numeric_limits<double>::quiet_NaN(), 1});
  EXPECT_EQ(crossing.view().robot.position, kRobotStart);
  crossing.step({0, 50});
  EXPECT_NEAR(crossing.view().robot.position.y, -4 + kTimeStep, 1e-12);
}

TEST(Crossing, PeopleReachTheirGoalsWithoutTouchingEachOther) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Scene scene = random_scene(seed);
    Walkers walkers(scene.people.size());
    std::vector<MovingDisc> people, next;
    std::vector<Vec2> goals;
    for (const Walk& walk : scene.people) people.push_back({walk.start, {}, kRadius}), goals.push_back(walk.goal);
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

TEST(Crossing, PeopleDoNotSeeTheRobot) {
  const Scene scene = random_scene(3);
  Crossing stays(scene), goes(scene);
  for (int t = 0; t < 12 && !stays.ended() && !goes.ended(); ++t) {
    stays.step({});
    goes.step({0, 1});
    for (std::size_t i = 0; i < scene.people.size(); ++i) {
      EXPECT_EQ(stays.view().people[i].position, goes.view().people[i].position);
    }
  }
}

TEST(Crossing, TheSameSceneEndsTheSameWay) {
  OrcaAgent orca(0.1, 5);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    EXPECT_EQ(play(random_scene(seed), orca), play(random_scene(seed), orca));
  }
}

// success, collision and mean time over the 500 cases, measured with the reference's own program
struct Reference {
  double safety, success, collision, time;
};

TEST(Crossing, OrcaComesOutAsInTheReference) {
  const std::string path = data_folder() + "/crowdnav/test500_circle5.csv";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path << "; set ELASTANE_DATA to have it";
  const std::vector<Scene> scenes = read_scenes(path).value();
  ASSERT_EQ(scenes.size(), 500U);
  for (const Reference& row : {Reference{0, .426, .568, 10.86}, Reference{.1, .836, .156, 11.85},
                               Reference{.15, .904, .080, 12.20}, Reference{.2, .936, .050, 12.52}}) {
    OrcaAgent orca(row.safety, 5);
    double reached = 0, collided = 0, time = 0;
    for (const Scene& scene : scenes) {
      const Played played = play(scene, orca);
      reached += played.end == End::reached ? 1 : 0, collided += played.end == End::collided ? 1 : 0;
      time += played.end == End::reached ? played.time : 0;
    }
    EXPECT_NEAR(reached / 500, row.success, 1e-9);
    EXPECT_NEAR(collided / 500, row.collision, 1e-9);
    EXPECT_NEAR(time / reached, row.time, 0.005);
  }
}

}  // namespace
}  // namespace elastane::crowd
