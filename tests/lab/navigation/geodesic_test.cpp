// lab/navigation/geodesic.h: distances are a fixed point of the update, and near the true ones.
#include "lab/navigation/geodesic.h"

#include <gtest/gtest.h>

#include "tests/lab/navigation/policies.h"

namespace elastane::navigation {
namespace {

// a map after some steps of an episode
struct Seen {
  explicit Seen(int steps) {
    Environment environment(a_site().site, draw_episode(a_site(), {.mode = Mode::dragged}, 5));
    for (int t = 0; t < steps && !environment.over(); ++t) {
      map.observe(environment.observe());
      environment.step(limited(environment.observe().goal, kSpeed));
    }
    robot = map.at(map.place());
    distance.resize(static_cast<std::size_t>(map.count()));
    Geodesic(map).march(robot, Geodesic::kBeyond, distance);
  }
  SiteMap map;
  int robot = 0;
  std::vector<double> distance;
};

TEST(Geodesic, WithoutObstaclesItIsNearlyTheDistance) {
  SiteMap map;
  Observation far;
  far.goal = {-0.4, 0.3};
  far.rays.fill(kRange);
  map.observe(far);
  std::vector<double> distance(static_cast<std::size_t>(map.count()));
  const int robot = map.at(map.place());
  Geodesic(map).march(robot, Geodesic::kBeyond, distance);
  EXPECT_NEAR(distance[static_cast<std::size_t>(robot)] * map.cell(), 0.5, 0.03);
  const Distance here = interpolate(map, distance, map.place());
  EXPECT_NEAR(here.value, 0.5, 0.03);
  EXPECT_NEAR(norm(here.slope), 1, 0.1);
}

TEST(Geodesic, EveryDistanceIsWhatItsNeighboursImply) {
  const Seen seen(25);
  const double limit = seen.distance[static_cast<std::size_t>(seen.robot)];
  ASSERT_LT(limit, Geodesic::kUnknown);
  int checked = 0;
  for (int i = 0; i < seen.map.count(); ++i) {
    const double d = seen.distance[static_cast<std::size_t>(i)];
    if (d == 0 || d > limit) continue;
    ASSERT_NEAR(d, Geodesic::update(seen.map, seen.distance, i), 1e-6);
    ++checked;
  }
  EXPECT_GT(checked, 100);
}

TEST(Geodesic, ThePathDescendsToTheDock) {
  const Seen seen(25);
  std::vector<int> cells(512);
  const int count = extract_path(seen.map, seen.distance, seen.robot, cells);
  ASSERT_GT(count, 1);
  EXPECT_EQ(cells[static_cast<std::size_t>(count - 1)], seen.map.at({}));
  for (int k = 1; k < count; ++k) {
    const auto at = [&](int j) { return seen.distance[static_cast<std::size_t>(cells[static_cast<std::size_t>(j)])]; };
    ASSERT_LT(at(k), at(k - 1));
  }
}

}  // namespace
}  // namespace elastane::navigation
