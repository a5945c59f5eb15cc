// lab/navigation/way_objective.h and ray_view.h: derivatives against differences, room against the truth.
#include "lab/navigation/way_objective.h"

#include <gtest/gtest.h>

#include "lab/navigation/demonstration.h"
#include "tests/core/objective/laws.h"

namespace elastane::navigation {
namespace {

const Place& place(std::uint64_t seed) {
  static const std::vector<Place> places = random_places(7, 4);
  return places[seed % places.size()];
}

struct Scene {
  explicit Scene(std::uint64_t seed)
      : site(place(seed).site), drive(site, draw_scenario(site, place(seed).route, {}, seed)) {
    sight = drive.look();
    view.see(sight);
  }
  const Site& site;
  Drive drive;
  Sight sight;
  RayView view;
};

Vector a_way(Random& random, std::size_t outputs) {
  Vector y(outputs);
  Point at;
  const double turn = random.uniform(0, 7);
  for (int k = 0; k < kStops; ++k) {
    at += Point{std::cos(turn), std::sin(turn)} * 0.03 + Point{random.normal(), random.normal()} * 0.004;
    y[2 * static_cast<std::size_t>(k)] = at.x / kWayUnit;
    y[2 * static_cast<std::size_t>(k) + 1] = at.y / kWayUnit;
  }
  return y;
}

WayObjective objective(const Scene& scene, Random& random, const Air& air) {
  WayObjective objective({.margin = 0.08, .goal = 0.4});
  const Vector proposed = a_way(random, kOutputs);
  const std::vector<float> floats(proposed.begin(), proposed.end());
  objective.look(scene.view, scene.sight.goal, floats, air);
  return objective;
}

TEST(WayObjective, KeepsTheLawsOfObjectives) {
  Random random(1);
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Scene scene(seed);
    const WayObjective of = objective(scene, random, {{0.003, -0.002}, seed % 2 == 0 ? 1.0 : 0.8});
    const Vector y = a_way(random, kOutputs);
    expect_gradient_is_slope(of, y, 1e-4);
    expect_symmetric_and_positive(of, y);
    expect_rows_agree(of, y);
  }
}

TEST(WayObjective, JudgesNothingBesideTheWay) {
  Random random(3);
  const Scene scene(4);
  const WayObjective of = objective(scene, random, {});
  Vector y = a_way(random, kOutputs);
  const double before = of.value(y);
  for (std::size_t i = kWay; i < kOutputs; ++i) y[i] = 100;
  EXPECT_EQ(of.value(y), before);
}

TEST(RayView, KnowsTheRoomAroundTheRobot) {
  double worst = 0;
  int seen = 0;
  Random random(4);
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Scene scene(seed);
    for (int i = 0; i < 20; ++i) {
      const Point p{random.uniform(-0.06, 0.06), random.uniform(-0.06, 0.06)};
      const double truth = scene.site.clearance(scene.drive.position() + p), told = scene.view.room(p).distance;
      if (truth > 0.08 || truth < 0) continue;
      // between two rays something round may bulge, and an end may hide; nothing is much nearer than it is told
      worst = std::max(worst, told - truth);
      ++seen;
    }
  }
  EXPECT_GT(seen, 50);
  EXPECT_LT(worst, 0.06);
}

TEST(RayView, IsNegativeBehindWhatItSees) {
  Sight sight;
  for (int i = 0; i < kRays; ++i) {
    const Point direction = ray_direction(i);
    sight.rays[i] = direction.x > 0.2 ? std::min(kRange, 0.1 / direction.x) : kRange;  // a wall at x = 0.1
  }
  RayView view;
  view.see(sight);
  EXPECT_NEAR(view.room({0.05, 0.01}).distance, 0.05, 1e-6);
  EXPECT_NEAR(view.room({0.05, 0.01}).away.x, -1, 1e-6);
  EXPECT_NEAR(view.room({0.12, 0.01}).distance, -0.02, 1e-6);
  EXPECT_NEAR(view.room({0.12, 0.01}).away.x, -1, 1e-6);
}

TEST(RayView, KeepsWhatItSawWhileRaysFail) {
  Sight sight;
  for (double& ray : sight.rays) ray = 0.1;
  RayView view;
  view.see(sight);
  for (double& ray : sight.rays) ray = std::nan("");
  sight.motion = {0.02, 0};
  const Room before = view.room({0.02, 0});
  view.see(sight);
  EXPECT_NEAR(view.room({0, 0}).distance, before.distance, 1e-12);
}

}  // namespace
}  // namespace elastane::navigation
