// lab/navigation/episode.h: what is drawn depends on the seed alone and leaves a path home.
#include "lab/navigation/episode.h"

#include <gtest/gtest.h>

#include "lab/navigation/environment.h"
#include "lab/navigation/expert.h"

namespace elastane::navigation {
namespace {

const RoutedSite& a_site() {
  static const RoutedSite site(random_site(1001));
  return site;
}

Episode drawn(Mode mode, std::uint64_t seed) { return draw_episode(a_site(), {.mode = mode}, seed); }

TEST(Episode, DependsOnItsSeedAlone) {
  for (const Mode mode :
       {Mode::still, Mode::dragged, Mode::moving, Mode::drifting, Mode::blind, Mode::windy, Mode::lost}) {
    const Episode a = drawn(mode, 7), b = drawn(mode, 7);
    EXPECT_EQ(a.start, b.start);
    EXPECT_EQ(a.dropped, b.dropped);
    EXPECT_EQ(a.change_at, b.change_at);
    EXPECT_EQ(a.patrols.size(), b.patrols.size());
  }
}

TEST(Episode, LeavesAPathAroundTheCrate) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Episode episode = drawn(Mode::dragged, seed);
    ASSERT_LT(episode.change_at, kLimit);
    EXPECT_TRUE(episode.crate_arrives());
    Environment environment(a_site().site, episode);
    const Route before = a_site().route;
    while (environment.steps() < episode.change_at) {
      environment.step(expert_command(environment.site(), before, environment.position(), {}));
    }
    EXPECT_GT(environment.site().clearance(environment.position()), kBody);
    EXPECT_TRUE(Route(environment.site()).reaches(environment.position()));
    EXPECT_GT(environment.site().clearance(environment.site().dock), kBody);
  }
}

TEST(Episode, HasOnlyTheEventsOfItsMode) {
  EXPECT_FALSE(drawn(Mode::still, 3).crate_arrives());
  EXPECT_TRUE(drawn(Mode::dragged, 3).patrols.empty());
  EXPECT_FALSE(drawn(Mode::moving, 3).patrols.empty());
  const Episode drifting = drawn(Mode::drifting, 3);
  EXPECT_EQ(norm(drifting.disturbance(drifting.disturbed_at - 1).wind), 0);
  EXPECT_GT(norm(drifting.disturbance(drifting.disturbed_at).wind), 0);
  EXPECT_LE(drifting.disturbance(kLimit).strength, 1);
  EXPECT_EQ(drawn(Mode::dragged, 3).blind_every, 0);
  EXPECT_GT(drawn(Mode::blind, 3).blind_every, 0);
}

TEST(Patrol, MovesBackAndForthBetweenItsEnds) {
  const Patrol patrol{.disc = {{}, 0.03}, .from = {0.2, 0.5}, .to = {0.6, 0.5}, .pace = 0.01};
  EXPECT_EQ(patrol.at(0).centre, patrol.from);
  EXPECT_NEAR(patrol.at(40).centre.x, 0.6, 1e-12);
  EXPECT_NEAR(patrol.at(60).centre.x, 0.4, 1e-12);
  EXPECT_NEAR(patrol.at(80).centre.x, 0.2, 1e-12);
  EXPECT_EQ(patrol.at(10).radius, 0.03);
}

}  // namespace
}  // namespace elastane::navigation
