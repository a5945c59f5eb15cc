// lab/protein_loop/energy.h, atom_grid.h, loop_latent.h, fold.h
#include "lab/protein_loop/energy.h"

#include <gtest/gtest.h>

#include "lab/protein_loop/bend.h"
#include "lab/protein_loop/environment.h"
#include "lab/protein_loop/loop_latent.h"

namespace elastane::protein_loop {
namespace {

const Protein& protein() {
  static const Protein built = build_protein(3);
  return built;
}
const Window kLoop{.first = 30, .residues = 12};

struct Site {
  Surroundings surroundings{protein(), {}};
  Energy energy{protein(), surroundings, kLoop};
};

// torsions near the native ones, so that walls, wells, the closure and Ramachandran all have a part
Torsions near_native(const Energy& energy, Random& random, double spread) {
  Torsions torsions = torsions_of(protein(), kLoop);
  for (int t = 0; t < energy.torsions(); ++t) torsions[static_cast<std::size_t>(t)] += spread * random.normal();
  return torsions;
}

TEST(LoopEnergy, TheGradientMatchesDifferences) {
  const Site site;
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
  const Surroundings surroundings(protein(), {});
  const Energy energy(protein(), surroundings, kLoop, {.ramachandran_weight = 0});
  EnergyPoint point, other;
  const Torsions torsions = torsions_of(protein(), kLoop);  // closed, so residuals vanish
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

TEST(LoopEnergy, AtomsOfTheGridAreThoseThatLookingAtAllOfThemFinds) {
  const Site site;
  Random random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const Vec3 point = protein().residue(random.below(protein().size())).at.ca +
                       Vec3{3 * random.normal(), 3 * random.normal(), 3 * random.normal()};
    int near = 0, listed = 0;
    for (const ProteinResidue& residue : protein().residues) near += length(residue.at.n - point) < 4.2 ? 1 : 0;
    for (const AtomGrid::Item& item : site.surroundings.near.near(point)) {
      listed += item.kind == AtomKind::n && length(item.at - point) < 4.2 ? 1 : 0;
    }
    EXPECT_EQ(near, listed);
  }
}

TEST(LoopEnergy, AWindowOfAWholeChainHasNoGapAndPutsAtomsWhereTheyAre) {
  const Site site;
  protein_chain::Conformation at;
  site.energy.chain().place(torsions_of(protein(), kLoop), at);
  EXPECT_LT(site.energy.gap_at(at), 1e-9);
  EXPECT_LT(loop_rmsd(site.energy, at, protein()), 1e-9);
}

TEST(LoopLatent, ItsSolveIsALevenbergStep) {
  const Site site;
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

TEST(Fold, AnUndamagedProteinHasNothingWrongWithIt) {
  const Assessment verdict = assess(Environment(protein()));
  EXPECT_TRUE(verdict.is_repaired());
  EXPECT_LT(verdict.widest_gap, 1e-9);
}

TEST(Fold, CommittingAWindowAsItIsChangesNothing) {
  const Site site;
  Environment fold(protein());
  const Torsions torsions = fold.torsions(kLoop);
  protein_chain::Conformation at;
  site.energy.chain().place(torsions, at);
  fold.commit(site.energy, torsions, at);
  for (int i = 0; i < fold.size(); ++i) {
    EXPECT_LT(length(fold.protein().residue(i).at.ca - protein().residue(i).at.ca), 1e-9);
    EXPECT_LT(length(fold.protein().residue(i).o - protein().residue(i).o), 1e-9);
  }
}

}  // namespace
}  // namespace elastane::protein_loop
