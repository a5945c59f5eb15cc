// lab/navigation/environment.h: motion, contact, and what the robot observes.
#include "lab/navigation/environment.h"

#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "elastane/core/base/random.h"
#include "tests/lab/navigation/policies.h"

namespace elastane::navigation {
namespace {

const RoutedSite& a_site() {
  static const RoutedSite site(random_site(1001));
  return site;
}

Episode drawn(Mode mode, std::uint64_t seed) { return draw_episode(a_site(), {.mode = mode}, seed); }

TEST(Environment, IsTheSameForTheSameCommands) {
  for (const Mode mode : {Mode::dragged, Mode::moving, Mode::drifting, Mode::blind}) {
    Environment a(a_site().site, drawn(mode, 3)), b(a_site().site, drawn(mode, 3));
    Random random(1);
    for (int t = 0; t < 100; ++t) {
      const Vec2 command{random.normal() * kSpeed, random.normal() * kSpeed};
      const Observation one = a.observe(), other = b.observe(), again = b.observe();
      for (int i = 0; i < kRays; ++i) {
        EXPECT_TRUE(one.rays[i] == other.rays[i] || (std::isnan(one.rays[i]) && std::isnan(other.rays[i])));
        EXPECT_TRUE(again.rays[i] == other.rays[i] || std::isnan(other.rays[i]));
      }
      a.step(command);
      b.step(command);
      EXPECT_EQ(a.position(), b.position());
    }
  }
}

TEST(Environment, RobotSlidesAlongObstaclesAndIsNeverInside) {
  Random random(5);
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Environment environment(a_site().site, drawn(Mode::dragged, seed));
    const double turn = random.uniform(0, 2 * std::numbers::pi);
    while (!environment.over()) {
      environment.step(Vec2{std::cos(turn), std::sin(turn)} * (5 * kSpeed));
      EXPECT_GT(environment.site().clearance(environment.position()), kBody - 1e-3);
      EXPECT_LE(norm(environment.moved()), 2.5 * kSpeed + kCrateRadius[2]);
    }
    EXPECT_GT(environment.contacts(), 0);
  }
}

TEST(Environment, IgnoresCommandsThatAreNotFinite) {
  Environment environment(a_site().site, drawn(Mode::still, 1));
  const Vec2 before = environment.position();
  environment.step({std::numeric_limits<double>::quiet_NaN(), 1});
  environment.step({std::numeric_limits<double>::infinity(), 1});
  EXPECT_EQ(environment.position(), before);
  EXPECT_EQ(environment.steps(), 2);
}

TEST(Environment, RaysFailWhenTheEpisodeSaysSo) {
  const Episode episode = drawn(Mode::blind, 2);
  Environment environment(a_site().site, episode);
  int blind = 0;
  for (int t = 0; t < 60; ++t) {
    EXPECT_EQ(std::isnan(environment.observe().rays[0]), episode.blind(t));
    blind += episode.blind(t) ? 1 : 0;
    environment.step({});
  }
  EXPECT_GT(blind, 10);
  EXPECT_LT(blind, 50);
}

TEST(Environment, TheObservedDockDriftsUntilTheRobotIsNear) {
  const RoutedSite& site = a_site();
  Episode episode = draw_episode(site, {.mode = Mode::lost}, 3);
  Environment environment(site.site, episode);
  double far = 0, steps = 0;
  while (environment.steps() < 100) {
    const Vec2 to_dock = site.site.dock - environment.position(), off = environment.observe().goal - to_dock;
    if (norm(to_dock) < kDockSeen) {
      EXPECT_LT(norm(off), 6 * kGoalNoise);
    } else if (environment.steps() > 50) {
      far += norm(off), steps += 1;
    }
    environment.step({});
  }
  EXPECT_GT(far / steps, 3 * kGoalNoise);
}

}  // namespace
}  // namespace elastane::navigation
