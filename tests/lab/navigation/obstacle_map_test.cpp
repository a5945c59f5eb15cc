// lab/navigation/obstacle_map.h: reconstructed distances against the site's own.
#include "lab/navigation/obstacle_map.h"

#include <gtest/gtest.h>

#include "elastane/core/base/random.h"
#include "lab/navigation/environment.h"

namespace elastane::navigation {
namespace {

const RoutedSite& routed(std::uint64_t seed) {
  static const std::vector<RoutedSite> sites = random_sites(7, 4);
  return sites[seed % sites.size()];
}

// the first step of an episode
struct Beginning {
  explicit Beginning(std::uint64_t seed)
      : site(routed(seed).site), environment(site, draw_episode(routed(seed), {}, seed)) {
    observation = environment.observe();
    obstacles.observe(observation);
  }
  const Site& site;
  Environment environment;
  Observation observation;
  ObstacleMap obstacles;
};

TEST(ObstacleMap, KnowsTheClearanceAroundTheRobot) {
  double worst = 0;
  int seen = 0;
  Random random(4);
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Beginning beginning(seed);
    for (int i = 0; i < 20; ++i) {
      const Vec2 p{random.uniform(-0.06, 0.06), random.uniform(-0.06, 0.06)};
      const double truth = beginning.site.clearance(beginning.environment.position() + p),
                   found = beginning.obstacles.clearance(p).distance;
      if (truth > 0.08 || truth < 0) continue;
      // a round obstacle may bulge between two rays, and an end may hide; the error stays small
      worst = std::max(worst, found - truth);
      ++seen;
    }
  }
  EXPECT_GT(seen, 50);
  EXPECT_LT(worst, 0.06);
}

TEST(ObstacleMap, IsNegativeBehindASurface) {
  Observation observation;
  for (int i = 0; i < kRays; ++i) {
    const Vec2 direction = ray_direction(i);
    observation.rays[i] = direction.x > 0.2 ? std::min(kRange, 0.1 / direction.x) : kRange;  // a wall at x = 0.1
  }
  ObstacleMap obstacles;
  obstacles.observe(observation);
  EXPECT_NEAR(obstacles.clearance({0.05, 0.01}).distance, 0.05, 1e-6);
  EXPECT_NEAR(obstacles.clearance({0.05, 0.01}).away.x, -1, 1e-6);
  EXPECT_NEAR(obstacles.clearance({0.12, 0.01}).distance, -0.02, 1e-6);
  EXPECT_NEAR(obstacles.clearance({0.12, 0.01}).away.x, -1, 1e-6);
}

TEST(ObstacleMap, KeepsItsHitsWhileRaysFail) {
  Observation observation;
  for (double& ray : observation.rays) ray = 0.1;
  ObstacleMap obstacles;
  obstacles.observe(observation);
  for (double& ray : observation.rays) ray = std::nan("");
  observation.motion = {0.02, 0};
  const Clearance before = obstacles.clearance({0.02, 0});
  obstacles.observe(observation);
  EXPECT_NEAR(obstacles.clearance({0, 0}).distance, before.distance, 1e-12);
}

}  // namespace
}  // namespace elastane::navigation
