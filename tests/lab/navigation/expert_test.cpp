// lab/navigation/expert.h: the expert comes home under disturbances, the oracle after changes.
#include "lab/navigation/expert.h"

#include <gtest/gtest.h>

#include <array>

namespace elastane::navigation {
namespace {

const RoutedSite& a_site() {
  static const RoutedSite site(random_site(1001));
  return site;
}

TEST(Expert, ComesHomeUnderDisturbances) {
  int home = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Environment environment(a_site().site, draw_episode(a_site(), {.mode = Mode::drifting}, seed));
    while (!environment.over()) {
      environment.step(
          expert_command(environment.site(), a_site().route, environment.position(), environment.disturbance()));
    }
    home += environment.arrived() ? 1 : 0;
  }
  EXPECT_GE(home, 19);
}

TEST(Expert, ItsPathIsTheSumOfItsCommands) {
  const Vec2 at{0.5, 0.5};
  std::array<Vec2, 3> path;
  expert_path(a_site().site, a_site().route, at, {}, 1, path);
  const Vec2 first = expert_command(a_site().site, a_site().route, at, {});
  EXPECT_EQ(path[0], first);
  EXPECT_LE(norm(path[2]), 3 * kSpeed + 1e-12);
}

TEST(Oracle, ComesHomeAroundTheCrate) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Episode episode = draw_episode(a_site(), {.mode = Mode::dragged}, seed);
    EXPECT_LT(best_steps(a_site(), episode), kLimit);
  }
}

}  // namespace
}  // namespace elastane::navigation
