// lab/navigation/drive.h: what happens, and what the robot is told of it.
#include "lab/navigation/drive.h"

#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "elastane/core/base/random.h"
#include "lab/navigation/demonstration.h"
#include "lab/navigation/expert.h"

namespace elastane::navigation {
namespace {

const Place& a_place() {
  static const Place place(random_site(1001));
  return place;
}

Scenario scenario(Mode mode, std::uint64_t seed) {
  return draw_scenario(a_place().site, a_place().route, {.mode = mode}, seed);
}

TEST(Scenario, DependsOnItsSeedAlone) {
  for (const Mode mode : {Mode::still, Mode::dragged, Mode::moving, Mode::drifting, Mode::blind}) {
    const Scenario a = scenario(mode, 7), b = scenario(mode, 7);
    EXPECT_EQ(a.start, b.start);
    EXPECT_EQ(a.dropped, b.dropped);
    EXPECT_EQ(a.change_at, b.change_at);
    EXPECT_EQ(a.patrols.size(), b.patrols.size());
  }
}

TEST(Scenario, LeavesAWayRoundTheCrate) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Scenario s = scenario(Mode::dragged, seed);
    ASSERT_LT(s.change_at, kLimit);
    Drive drive(a_place().site, s);
    const Route before = a_place().route;
    while (drive.step() < s.change_at) drive.move(expert_command(drive.site(), before, drive.position(), {}));
    EXPECT_GT(drive.site().clearance(drive.position()), kBody);
    EXPECT_TRUE(Route(drive.site()).reaches(drive.position()));
    EXPECT_GT(drive.site().clearance(drive.site().dock), kBody);
  }
}

TEST(Drive, IsTheSameForTheSameCommands) {
  for (const Mode mode : {Mode::dragged, Mode::moving, Mode::drifting, Mode::blind}) {
    Drive a(a_place().site, scenario(mode, 3)), b(a_place().site, scenario(mode, 3));
    Random random(1);
    for (int t = 0; t < 100; ++t) {
      const Point command{random.normal() * kSpeed, random.normal() * kSpeed};
      const Sight one = a.look(), other = b.look(), again = b.look();
      for (int i = 0; i < kRays; ++i) {
        EXPECT_TRUE(one.rays[i] == other.rays[i] || (std::isnan(one.rays[i]) && std::isnan(other.rays[i])));
        EXPECT_TRUE(again.rays[i] == other.rays[i] || std::isnan(other.rays[i]));
      }
      a.move(command);
      b.move(command);
      EXPECT_EQ(a.position(), b.position());
    }
  }
}

TEST(Drive, SlidesAlongWhatItTouchesAndIsNeverInsideIt) {
  Random random(5);
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Drive drive(a_place().site, scenario(Mode::dragged, seed));
    const double turn = random.uniform(0, 2 * std::numbers::pi);
    while (!drive.over()) {
      drive.move(Point{std::cos(turn), std::sin(turn)} * (5 * kSpeed));
      EXPECT_GT(drive.site().clearance(drive.position()), kBody - 1e-3);
      EXPECT_LE(norm(drive.moved()), 2.5 * kSpeed + kCrateRadius[2]);
    }
    EXPECT_GT(drive.contacts(), 0);
  }
}

TEST(Drive, TakesNoCommandThatIsNoNumber) {
  Drive drive(a_place().site, scenario(Mode::still, 1));
  const Point before = drive.position();
  drive.move({std::numeric_limits<double>::quiet_NaN(), 1});
  drive.move({std::numeric_limits<double>::infinity(), 1});
  EXPECT_EQ(drive.position(), before);
  EXPECT_EQ(drive.step(), 2);
}

TEST(Drive, IsBlindWhenItsScenarioSaysSo) {
  const Scenario s = scenario(Mode::blind, 2);
  Drive drive(a_place().site, s);
  int blind = 0;
  for (int t = 0; t < 60; ++t) {
    EXPECT_EQ(std::isnan(drive.look().rays[0]), s.blind(t));
    blind += s.blind(t) ? 1 : 0;
    drive.move({});
  }
  EXPECT_GT(blind, 10);
  EXPECT_LT(blind, 50);
}

TEST(Expert, ComesHomeWhateverTheAir) {
  int home = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Drive drive(a_place().site, scenario(Mode::drifting, seed));
    while (!drive.over()) drive.move(expert_command(drive.site(), a_place().route, drive.position(), drive.air()));
    home += drive.arrived() ? 1 : 0;
  }
  EXPECT_GE(home, 19);
}

}  // namespace
}  // namespace elastane::navigation
