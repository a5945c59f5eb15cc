// lab/maze/objective.h: the loss of a map.
#include "lab/maze/objective.h"

#include <gtest/gtest.h>

#include "elastane/core/base/random.h"
#include "lab/maze/lattice.h"

namespace elastane::maze {
namespace {

TEST(MapObjective, HasTheGradientThatDifferencesShowAndItsGaussNewtonIsDiagonal) {
  const Episode episode = draw_lattice({.size = 9, .doors = 2}, 3);
  MapLatent map(9, 9, Moves::four);
  map.begin(episode.plan, episode.goal);
  const Observation observation = Environment(episode).observe();
  map.write(observation);
  MapObjective objective;
  objective.begin();
  objective.observe(map, observation);

  Random random(1);
  std::vector<double> y(static_cast<std::size_t>(map.outputs())), g = y, w = y, wu = y;
  for (double& value : y) value = objective.scale() * random.normal();
  objective.gradient(y, g);
  objective.diagonal(y, w);
  const int n = map.outputs();
  const std::vector<double> ones(y.size(), 1);
  objective.gauss_newton(y, {ones.data(), 1, n}, {wu.data(), 1, n});
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double step = 1e-4 * objective.scale(), at = y[i];
    y[i] = at + step;
    const double above = objective.value(y);
    y[i] = at - step;
    const double below = objective.value(y);
    y[i] = at;
    const double slope = (above - below) / (2 * step);
    EXPECT_NEAR(g[i], slope, 1e-5 * (1 / objective.scale() + std::fabs(slope)));
    EXPECT_EQ(wu[i], w[i]);
  }
}

}  // namespace
}  // namespace elastane::maze
