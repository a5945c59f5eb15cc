// lab/crowd/environment.h: the rules of a crossing, and the reference figures if the cases are available.
#include "lab/crowd/environment.h"

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

TEST(Environment, TheClosestDistanceOfAStepIsThatOfManyMomentsInIt) {
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
  Ending end;
  double time, nearest;
  bool operator==(const Played&) const = default;
};
Played play(const Episode& episode, Agent& agent) {
  Environment environment(episode);
  agent.begin();
  while (!environment.over()) environment.step(agent.act(environment.observe()));
  return {environment.ending(), environment.time(), environment.nearest()};
}

TEST(Environment, WithoutPeopleTheRobotCrossesInAStraightLine) {
  StraightAgent straight;
  const Played played = play({}, straight);
  EXPECT_EQ(played.end, Ending::reached);
  EXPECT_EQ(played.time, 8.25);  // 7 m at 1 m/s, and slower over the last one
}

TEST(Environment, ARobotThatStandsStillIsTooLateAfterExactlyTheLimit) {
  Environment environment({});
  while (!environment.over()) environment.step({});
  EXPECT_EQ(environment.ending(), Ending::too_late);
  EXPECT_EQ(environment.time(), kLastStart + kTimeStep);
}

TEST(Environment, AVelocityOfNaNMeansToStandStillAndTooFastIsShortened) {
  Environment environment({});
  environment.step({std::numeric_limits<double>::quiet_NaN(), 1});
  EXPECT_EQ(environment.observe().robot.position, kRobotStart);
  environment.step({0, 50});
  EXPECT_NEAR(environment.observe().robot.position.y, -4 + kTimeStep, 1e-12);
}

TEST(Environment, PeopleDoNotSeeTheRobot) {
  const Episode episode = draw_episode(3);
  Environment stays(episode), goes(episode);
  for (int t = 0; t < 12 && !stays.over() && !goes.over(); ++t) {
    stays.step({});
    goes.step({0, 1});
    for (std::size_t i = 0; i < episode.people.size(); ++i) {
      EXPECT_EQ(stays.observe().people[i].position, goes.observe().people[i].position);
    }
  }
}

TEST(Environment, TheSameEpisodeEndsTheSame) {
  OrcaAgent orca(0.1, 5);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    EXPECT_EQ(play(draw_episode(seed), orca), play(draw_episode(seed), orca));
  }
}

// success, collision and mean time over the 500 cases, measured with the reference program
struct Reference {
  double safety, success, collision, time;
};

TEST(Environment, OrcaReproducesTheReferenceFigures) {
  const std::string path = data_folder() + "/crowdnav/test500_circle5.csv";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path << "; set ELASTANE_DATA to have it";
  const std::vector<Episode> episodes = read_episodes(path).value();
  ASSERT_EQ(episodes.size(), 500U);
  for (const Reference& row : {Reference{0, .426, .568, 10.86}, Reference{.1, .836, .156, 11.85},
                               Reference{.15, .904, .080, 12.20}, Reference{.2, .936, .050, 12.52}}) {
    OrcaAgent orca(row.safety, 5);
    double reached = 0, collided = 0, time = 0;
    for (const Episode& episode : episodes) {
      const Played played = play(episode, orca);
      reached += played.end == Ending::reached ? 1 : 0, collided += played.end == Ending::collided ? 1 : 0;
      time += played.end == Ending::reached ? played.time : 0;
    }
    EXPECT_NEAR(reached / 500, row.success, 1e-9);
    EXPECT_NEAR(collided / 500, row.collision, 1e-9);
    EXPECT_NEAR(time / reached, row.time, 0.005);
  }
}

}  // namespace
}  // namespace elastane::crowd
