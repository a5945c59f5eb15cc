// lab/protein_loop/energy_derivatives.cpp
#include <gtest/gtest.h>

#include <cmath>

#include "tests/lab/protein_loop/test_site.h"

namespace elastane::protein_loop {
namespace {

TEST(LoopEnergy, TheGradientMatchesDifferences) {
  const TestSite site;
  Random random(1);
  EnergyPoint point, other;
  Torsions slope;
  for (int trial = 0; trial < 20; ++trial) {
    const Emphasis emphasis{.closure = random.uniform(0.1, 2), .wall = random.uniform(0.1, 1)};
    const Torsions torsions = near_native(site.energy, random, 0.05 * (trial % 5));
    const double value = site.energy.evaluate(torsions, emphasis, point);
    site.energy.gradient(point, slope);
    for (int t = 0; t < site.energy.torsions(); ++t) {
      constexpr double kStep = 1e-6;
      const auto at = static_cast<std::size_t>(t);
      Torsions more = torsions, less = torsions;
      more[at] += kStep, less[at] -= kStep;
      const double difference =
          (site.energy.evaluate(more, emphasis, other) - site.energy.evaluate(less, emphasis, other)) / (2 * kStep);
      EXPECT_NEAR(slope[at], difference, 1e-4 * (1 + std::fabs(value) + std::fabs(difference))) << "torsion " << t;
    }
  }
}

// of residuals alone: without wells, W is the Hessian where residuals are small, and RᵀR everywhere
TEST(LoopEnergy, TheCurvatureIsThatOfTheClosureWhereItIsAllThereIs) {
  const Surroundings surroundings(test_protein(), {});
  const Energy energy(test_protein(), surroundings, kTestLoop, {.ramachandran_weight = 0});
  EnergyPoint point, other;
  const Torsions torsions = torsions_of(test_protein(), kTestLoop);  // closed, so residuals vanish
  energy.evaluate(torsions, {.wall = 0}, point);
  ASSERT_LT(point.gap_length(), 1e-9);
  const int n = energy.torsions();
  std::vector<double> storage(static_cast<std::size_t>(n * n));
  const DoubleRows w{storage.data(), n, n};
  energy.curvature(point, w);
  Torsions up, down;
  for (int t = 0; t < n; ++t) {
    constexpr double kStep = 1e-5;
    Torsions more = torsions, less = torsions;
    more[static_cast<std::size_t>(t)] += kStep, less[static_cast<std::size_t>(t)] -= kStep;
    energy.evaluate(more, {.wall = 0}, other);
    energy.gradient(other, up);
    energy.evaluate(less, {.wall = 0}, other);
    energy.gradient(other, down);
    for (int s = 0; s < n; ++s) {
      const auto at = static_cast<std::size_t>(s);
      EXPECT_NEAR(w[t][s], (up[at] - down[at]) / (2 * kStep), 1e-3 * (1 + std::fabs(w[t][s])));
    }
  }
}

TEST(LoopEnergy, WallsCostMultiplyAdds) {
  const TestSite site;
  Random random(4);
  EnergyPoint point;
  site.energy.evaluate(near_native(site.energy, random, 0.2), {}, point);
  ASSERT_GT(point.walls_count, 0);
  const std::int64_t with = site.energy.curvature_macs(point), evaluation = site.energy.evaluation_macs(point);
  point.walls_count = 0;
  EXPECT_LT(site.energy.curvature_macs(point), with);
  EXPECT_LT(site.energy.evaluation_macs(point), evaluation);
}

}  // namespace
}  // namespace elastane::protein_loop
