// lab/navigation/objective.h: derivatives against differences.
#include "lab/navigation/objective.h"

#include <gtest/gtest.h>

#include "lab/navigation/environment.h"
#include "tests/core/objective/laws.h"

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

Vector random_path(Random& random, std::size_t outputs) {
  Vector y(outputs);
  Vec2 at;
  const double turn = random.uniform(0, 7);
  for (int k = 0; k < kWaypoints; ++k) {
    at += Vec2{std::cos(turn), std::sin(turn)} * 0.03 + Vec2{random.normal(), random.normal()} * 0.004;
    y[2 * static_cast<std::size_t>(k)] = at.x / kPathUnit;
    y[2 * static_cast<std::size_t>(k) + 1] = at.y / kPathUnit;
  }
  return y;
}

PathObjective objective(const Beginning& beginning, Random& random, const Disturbance& disturbance) {
  PathObjective objective({.margin = 0.08, .goal = 0.4});
  const Vector proposed = random_path(random, kOutputs);
  const std::vector<float> floats(proposed.begin(), proposed.end());
  objective.begin(beginning.obstacles, beginning.observation.goal, floats, disturbance);
  return objective;
}

TEST(PathObjective, KeepsTheLawsOfObjectives) {
  Random random(1);
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Beginning beginning(seed);
    const PathObjective of = objective(beginning, random, {{0.003, -0.002}, seed % 2 == 0 ? 1.0 : 0.8});
    const Vector y = random_path(random, kOutputs);
    expect_gradient_is_slope(of, y, 1e-4);
    expect_symmetric_and_positive(of, y);
    expect_rows_agree(of, y);
  }
}

TEST(PathObjective, JudgesOnlyThePath) {
  Random random(3);
  const Beginning beginning(4);
  const PathObjective of = objective(beginning, random, {});
  Vector y = random_path(random, kOutputs);
  const double before = of.value(y);
  for (std::size_t i = kPath; i < kOutputs; ++i) y[i] = 100;
  EXPECT_EQ(of.value(y), before);
}

}  // namespace
}  // namespace elastane::navigation
