// lab/navigation/geodesic_latent.h: a correction solves the map, and only where its path is refuted.
#include "lab/navigation/geodesic_latent.h"

#include <gtest/gtest.h>

#include "lab/navigation/map_agents.h"

namespace elastane::navigation {
namespace {

Observation seen_from(Vec2 place, double ahead = kRange) {
  Observation observation;
  observation.goal = place * -1.0;
  observation.rays.fill(kRange);
  for (int i = -1; i <= 1; ++i) observation.rays[static_cast<std::size_t>(kRays / 2 + i)] = ahead;
  return observation;
}

TEST(GeodesicLatent, TheFirstCorrectionFindsAPathAndTheNextHasNothingToDo) {
  SiteMap map;
  MapCorrector corrector(map, 0.5);
  map.observe(seen_from({0.3, 0}));
  const StepReport first = corrector.correct();
  EXPECT_EQ(first.accepted, 1);
  EXPECT_NEAR(first.loss_after, 0, 1e-9);
  EXPECT_FALSE(corrector.latent().path().empty());
  const StepReport next = corrector.correct();
  EXPECT_EQ(next.depth, 0);
  EXPECT_EQ(next.stop, Stop::gate);
}

TEST(GeodesicLatent, AnObstacleOnThePathIsWorthAMicroStepAndItsSolutionIsTheMarch) {
  SiteMap map;
  MapCorrector corrector(map, 0.5);
  map.observe(seen_from({0.3, 0}));
  corrector.correct();
  int solved = 0;
  for (int t = 0; t < 4; ++t) {
    map.observe(seen_from({0.3, 0}, 0.12));
    solved += corrector.correct().accepted;
  }
  EXPECT_GE(solved, 1);
  std::vector<double> marched(static_cast<std::size_t>(map.count()));
  const int robot = map.at(map.place());
  Geodesic(map).march(robot, Geodesic::kBeyond, marched);
  EXPECT_NEAR(corrector.latent().z()[static_cast<std::size_t>(robot)], marched[static_cast<std::size_t>(robot)], 0.5);
}

TEST(GeodesicLatent, ItsDerivativeAlongTheStepIsTheSecant) {
  SiteMap map;
  GeodesicLatent latent(map);
  map.observe(seen_from({0.3, 0}));
  latent.observe();
  const int n = latent.latents(), m = latent.outputs();
  std::vector<double> y(static_cast<std::size_t>(m)), v(static_cast<std::size_t>(n)), jv(y), w(y), jtw(v);
  latent.linearise(latent.z(), y);
  const PathResidual objective(0.5);
  ASSERT_TRUE(latent.solve(objective, y, v, v));
  latent.jvp({v.data(), 1, n}, {jv.data(), 1, m});
  for (int k = 0; k < m; ++k) EXPECT_NEAR(jv[static_cast<std::size_t>(k)], -y[static_cast<std::size_t>(k)], 1e-9);
  w[0] = 0.7, w[3] = -0.2;
  latent.vjp({w.data(), 1, m}, {jtw.data(), 1, n});
  double left = 0, right = 0;
  for (int i = 0; i < n; ++i) left += jtw[static_cast<std::size_t>(i)] * v[static_cast<std::size_t>(i)];
  for (int k = 0; k < m; ++k) right += w[static_cast<std::size_t>(k)] * jv[static_cast<std::size_t>(k)];
  EXPECT_NEAR(left, right, 1e-9 * (1 + std::fabs(right)));
}

}  // namespace
}  // namespace elastane::navigation
