// lab/navigation/map_agents.h: agents with a map get home around a crate, whatever they did before.
#include "lab/navigation/map_agents.h"

#include <gtest/gtest.h>

#include "lab/navigation/agent_factory.h"
#include "tests/lab/navigation/policies.h"

namespace elastane::navigation {
namespace {

TEST(MapAgents, ComeHomeAroundACrate) {
  MapAgent classical({});
  MapLatentAgent corrected({});
  for (Agent* agent : {static_cast<Agent*>(&classical), static_cast<Agent*>(&corrected)}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      benchmark::Latency latency;
      const benchmark::Outcome made =
          play(*agent, a_site(), draw_episode(a_site(), {.mode = Mode::dragged}, seed), latency);
      EXPECT_TRUE(made.success) << seed;
      EXPECT_LE(made.violations, 4) << seed;
    }
  }
  EXPECT_GT(corrected.plans(), 0);
}

TEST(MapAgents, WhatWasPlayedBeforeDoesNotShow) {
  PolicyMapOptions options;
  options.corrector.metric.kind = Metric::conjugate_gradient;
  options.fade = 0.1;
  options.weights.progress = 0.1;
  options.map.when = AskMap::stalled;
  options.map.ask_for = 10;
  PolicyMapAgent fresh(shipped().selective, options), used(shipped().selective, options);
  MapLatentAgent fresh_map({}), used_map({});
  const Episode episode = draw_episode(a_site(), {.mode = Mode::dragged}, 7);
  commands(used, draw_episode(a_site(), {.mode = Mode::dragged}, 8), 60);
  commands(used_map, draw_episode(a_site(), {.mode = Mode::dragged}, 8), 60);
  const auto equal = [&](Agent& a, Agent& b) {
    const std::vector<Vec2> one = commands(a, episode, 60), other = commands(b, episode, 60);
    for (std::size_t t = 0; t < one.size(); ++t) ASSERT_EQ(one[t], other[t]) << t;
  };
  equal(fresh, used);
  equal(fresh_map, used_map);
}

TEST(MapAgents, AFilteredCommandDoesNotComeNearerThanItsMargin) {
  struct Wall final : ClearanceSource {
    Clearance clearance(Vec2 p) const override { return {0.03 - p.x, {-1, 0}}; }
  } wall;
  const FilterOptions options{.margin = 0.005, .pace = 0.5};
  const Vec2 turned = keep_clear({kSpeed, 0.001}, wall, options);
  EXPECT_LE(turned.x, 0.5 * (0.03 - kBody - 0.005) + 1e-12);
  EXPECT_NEAR(turned.y, 0.001, 1e-12);
  EXPECT_EQ(keep_clear({-kSpeed, 0}, wall, options), (Vec2{-kSpeed, 0}));
}

TEST(MapAgents, PlannersWithAMapComeHomeAroundACrate) {
  PolicyMapOptions path;
  path.corrector.metric = {.kind = Metric::exact, .damping = 1e-3};
  path.corrector.gate.depth = 3;
  path.corrector.trust.radius = 2;
  path.weights.progress = 0.1;
  PathMapAgent plan(shipped().selective, path);
  SweepMapAgent sweep(shipped().selective, {.sweeps = {.horizon = 3, .sweeps = 5}, .weights = {.progress = 0.02}});
  for (Agent* agent : {static_cast<Agent*>(&plan), static_cast<Agent*>(&sweep)}) {
    int home = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      benchmark::Latency latency;
      home += play(*agent, a_site(), draw_episode(a_site(), {.mode = Mode::dragged}, seed), latency).success ? 1 : 0;
    }
    EXPECT_GE(home, 3);
  }
}

TEST(MapAgents, FullSpeedIsFullSpeedExceptAtTheDock) {
  const Vec2 path[] = {{0.01, 0}, {0.015, 0.005}};
  EXPECT_NEAR(norm(full_speed(path, {0.5, 0})), kSpeed, 1e-12);
  EXPECT_LT(norm(full_speed(path, {0.01, 0})), kSpeed);
}

}  // namespace
}  // namespace elastane::navigation
