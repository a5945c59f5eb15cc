// lab/maze/map_step.cpp: steps of policy iteration on the cells that they change.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "elastane/core/base/random.h"
#include "lab/maze/lattice.h"
#include "lab/maze/map_latent.h"
#include "lab/maze/objective.h"

namespace elastane::maze {
namespace {

// an agent that walks at random through a maze whose doors change
class Walk {
 public:
  explicit Walk(std::uint64_t seed, int size = 27)
      : episode_(draw_lattice({.size = size}, seed)),
        environment_(episode_),
        random_(seed),
        map(size, size, Moves::four),
        belief(episode_.plan) {
    map.begin(episode_.plan, episode_.goal);
    objective.begin();
  }
  void step() {
    const Observation observation = environment_.observe();
    map.write(observation);
    objective.observe(map, observation);
    for (int k = 0; k < kViewCells; ++k) {
      const Cell c = observation.position + view_step(k);
      const CellState seen = observation.view[static_cast<std::size_t>(k)];
      if (belief.has(c) && seen != CellState::hidden) belief.set_wall(c, seen == CellState::wall);
    }
    environment_.step(random_.below(4));
  }
  std::vector<double> read() {
    std::vector<double> y(static_cast<std::size_t>(map.outputs()));
    map.output(std::as_const(map).z(), y);
    return y;
  }
  Cell goal() const { return episode_.goal; }

 private:
  Episode episode_;
  Environment environment_;
  Random random_;

 public:
  MapLatent map;
  MapObjective objective;
  Grid belief;
};

TEST(MapStep, ReachesTheValuesOfShortestPathsByItself) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Walk walk(seed);
    for (int t = 0; t < 60; ++t) {
      walk.step();
      if (walk.map.unsettled() > 0) walk.map.step_locally(walk.objective);
      walk.map.commit();
      ASSERT_EQ(walk.map.unsettled(), 0);
    }
    const std::vector<double> lengths = distances_to(walk.belief, walk.goal(), Moves::four);
    for (int i = 0; i < walk.belief.cells(); ++i) {
      const double length = lengths[static_cast<std::size_t>(i)];
      const double value = length < kUnreachable ? std::pow(walk.map.discount(0), length) : 0;
      if (walk.belief.is_wall(i)) continue;
      EXPECT_NEAR(walk.map.value(walk.belief.cell(i)), value, 1e-9 * value);
    }
  }
}

TEST(MapStep, KeepsTheListOfUnsettledCellsThatAReadingOfTheWholeMapShows) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Walk walk(seed);
    for (int t = 0; t < 80; ++t) {
      walk.step();
      if (t % 3 == 0) walk.map.step_locally(walk.objective);  // now and then, so that cells stay unsettled
      const std::vector<double> y = walk.read();
      double squares = 0;
      int unsettled = 0;
      for (std::size_t i = 0; i + kViewCells < y.size(); ++i) squares += y[i] * y[i], unsettled += y[i] != 0 ? 1 : 0;
      ASSERT_EQ(unsettled, walk.map.unsettled());
      ASSERT_NEAR(squares, walk.map.residual_squares(), 1e-12 * squares);
    }
  }
}

TEST(MapStep, PromisesWhatTheWholeSolvePromises) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Walk walk(seed, 15);
    for (int t = 0; t < 40; ++t) {
      walk.step();
      if (walk.map.unsettled() == 0) continue;
      MapLatent whole = walk.map;
      std::vector<double> y(static_cast<std::size_t>(whole.outputs())), s = y, g = y, v = y;
      const std::vector<double> z(std::as_const(whole).z().begin(), std::as_const(whole).z().end());
      whole.linearise(z, y);
      walk.objective.gradient(y, s);
      whole.vjp({s.data(), 1, whole.latents()}, {g.data(), 1, whole.latents()});
      ASSERT_TRUE(whole.solve(walk.objective, y, g, v));
      double kappa = 0, squares = 0;
      for (std::size_t i = 0; i < y.size(); ++i) kappa -= g[i] * v[i], squares += g[i] * g[i];
      const LocalStep step = walk.map.step_locally(walk.objective);
      EXPECT_NEAR(step.kappa, kappa, 1e-9 * (1 + kappa));
      EXPECT_EQ(walk.map.frontier_value(), whole.frontier_value());
      ++compared;
    }
  }
  EXPECT_GT(compared, 10);
}

TEST(MapStep, CanBeTakenBack) {
  Walk walk(3);
  for (int t = 0; t < 60; ++t) {
    walk.step();
    const std::vector<double> before(std::as_const(walk.map).z().begin(), std::as_const(walk.map).z().end());
    const int unsettled = walk.map.unsettled();
    walk.map.step_locally(walk.objective);
    walk.map.step_back();
    EXPECT_TRUE(std::ranges::equal(before, std::as_const(walk.map).z()));
    EXPECT_EQ(walk.map.unsettled(), unsettled);
    if (t % 2 == 0) walk.map.step_locally(walk.objective);
  }
}

TEST(MapStep, CostsWhatTheAffectedCellsCost) {
  Walk small(5, 27);
  for (int t = 0; t < 30; ++t) small.step();
  const LocalStep step = small.map.step_locally(small.objective);
  EXPECT_LT(step.macs, small.map.cost().solve);
}

}  // namespace
}  // namespace elastane::maze
