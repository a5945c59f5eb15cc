// lab/maze/map_write.cpp: the map at the start of an episode, and its recurrence.
#include <gtest/gtest.h>

#include <cmath>

#include "lab/maze/lattice.h"
#include "lab/maze/map_latent.h"
#include "tests/lab/maze/serpentine.h"

namespace elastane::maze {
namespace {

constexpr double kDiscount = MapOptions{}.discount;

TEST(MapLatent, KnowsTheLengthsOfItsPlan) {
  for (const Moves moves : {Moves::four, Moves::eight}) {
    Episode episode = draw_lattice({}, 3);
    MapLatent map(15, 15, moves);
    map.begin(episode.plan, episode.goal);
    const std::vector<double> lengths = distances_to(episode.plan, episode.goal, moves);
    for (int i = 0; i < episode.plan.cells(); ++i) {
      const double length = lengths[static_cast<std::size_t>(i)];
      const double expected = length < kUnreachable ? std::pow(kDiscount, length) : 0;
      EXPECT_NEAR(map.value(episode.plan.cell(i)), expected, 1e-12 * expected);
    }
  }
}

TEST(MapLatent, KnowsTheLengthsOfVeryLongPaths) {
  const Grid grid = serpentine(65);
  const Cell goal{0, 64};
  MapLatent map(65, 65, Moves::four);
  map.begin(grid, goal);
  const std::vector<double> lengths = distances_to(grid, goal, Moves::four);
  const auto start = static_cast<std::size_t>(grid.index({0, 0}));
  ASSERT_GT(lengths[start], 2000);
  EXPECT_NEAR(std::log(map.value({0, 0})) / std::log(map.discount(0)), lengths[start], 1e-6 * lengths[start]);
}

TEST(MapLatent, WritesNothingButWhatIsInView) {
  const Episode episode = draw_lattice({}, 8);
  MapLatent map(15, 15, Moves::four), before = map;
  map.begin(episode.plan, episode.goal);
  before.begin(episode.plan, episode.goal);
  map.write(Environment(episode).observe());
  for (int i = 0; i < episode.plan.cells(); ++i) {
    const Cell c = episode.plan.cell(i), away = c - episode.start;
    if (std::abs(away.x) <= 1 && std::abs(away.y) <= 1) continue;
    EXPECT_EQ(map.value(c), before.value(c));
    EXPECT_EQ(map.occupancy(c), before.occupancy(c));
    EXPECT_EQ(map.trace(c), before.trace(c));
  }
}

}  // namespace
}  // namespace elastane::maze
