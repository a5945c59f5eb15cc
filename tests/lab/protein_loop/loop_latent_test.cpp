// lab/protein_loop/loop_latent.h
#include "lab/protein_loop/loop_latent.h"

#include <gtest/gtest.h>

#include "tests/lab/protein_loop/test_site.h"

namespace elastane::protein_loop {
namespace {

TEST(LoopLatent, ItsSolveIsALevenbergStep) {
  const TestSite site;
  Random random(3);
  LoopObjective objective(site.energy);
  LoopLatent latent(objective);
  latent.set_damping(2.5);
  const auto n = static_cast<std::size_t>(latent.latents());
  const Torsions torsions = near_native(site.energy, random, 0.1);
  const std::span<const double> z = std::span(torsions).first(n);
  std::vector<double> g(n), v(n), wv(static_cast<std::size_t>(double_stride(static_cast<int>(n))));
  objective.gradient(z, g);
  ASSERT_TRUE(latent.solve(objective, z, g, v));
  const int d = static_cast<int>(n);
  objective.gauss_newton(z, {v.data(), 1, d}, {wv.data(), 1, d});
  for (std::size_t t = 0; t < n; ++t) EXPECT_NEAR(wv[t] + 2.5 * v[t], -g[t], 1e-6 * (1 + std::fabs(g[t])));
}

TEST(LoopLatent, TheDiagonalAloneSolvesTorsionByTorsion) {
  const TestSite site;
  Random random(3);
  LoopObjective objective(site.energy);
  LoopLatent whole(objective), diagonal(objective, Curvature::diagonal);
  const auto n = static_cast<std::size_t>(whole.latents());
  const Torsions torsions = near_native(site.energy, random, 0.1);
  const std::span<const double> z = std::span(torsions).first(n);
  std::vector<double> g(n), v(n), w(n);
  objective.gradient(z, g);
  ASSERT_TRUE(diagonal.solve(objective, z, g, v));
  ASSERT_TRUE(whole.solve(objective, z, g, w));
  EXPECT_NE(v, w);
  for (std::size_t t = 0; t < n; ++t) EXPECT_LE(v[t] * g[t], 0);
}

}  // namespace
}  // namespace elastane::protein_loop
