// lab/protein_loop/repair.h, bend.h, damage.h
#include "lab/protein_loop/repair.h"

#include <gtest/gtest.h>

#include "lab/protein_loop/bend.h"
#include "lab/protein_loop/episode.h"

namespace elastane::protein_loop {
namespace {

TEST(LoopRepair, ABentLoopIsClosedWithoutClashesAndNearerThanBefore) {
  constexpr int kLoops = 12;
  int nearer = 0;
  for (int n = 0; n < kLoops; ++n) {
    const Protein protein = build_protein(static_cast<std::uint64_t>(100 + n));
    const Surroundings surroundings(protein, {});
    const Energy energy(protein, surroundings, {.first = 28, .residues = 12});
    Random random(static_cast<std::uint64_t>(n));
    Torsions torsions = bent(energy, protein, torsions_of(protein, energy.window()), random);
    protein_chain::Conformation at;
    energy.chain().place(torsions, at);
    const double before = loop_rmsd(energy, at, protein);
    EXPECT_GE(before, 4);
    EXPECT_LE(before, 8.5);
    EXPECT_GT(energy.gap_at(at), 0.5);
    const RepairReport report = LoopRepair(energy, {.restarts = 8}).run(torsions, random);
    EXPECT_TRUE(report.is_clean()) << "loop " << n << ", gap " << report.gap << ", clashes " << report.clashes;
    energy.chain().place(torsions, at);
    nearer += loop_rmsd(energy, at, protein) < before ? 1 : 0;
  }
  EXPECT_GE(nearer, kLoops - 1);
}

TEST(LoopRepair, EqualSeedsRepairAlike) {
  const Protein protein = build_protein(5);
  const Surroundings surroundings(protein, {});
  const Energy energy(protein, surroundings, {.first = 30, .residues = 10});
  std::array<Torsions, 2> ends;
  for (Torsions& torsions : ends) {
    Random random(9);
    torsions = drawn(energy, random, 4);
    LoopRepair(energy, {.restarts = 1}).run(torsions, random);
  }
  EXPECT_EQ(ends[0], ends[1]);
}

TEST(Idealised, ANativeLoopOfIdealGeometryIsItsOwnLikeness) {
  const Protein protein = build_protein(6);
  const Surroundings surroundings(protein, {});
  const Energy energy(protein, surroundings, {.first = 25, .residues = 12});
  protein_chain::Conformation at;
  energy.chain().place(idealised(energy, protein), at);
  EXPECT_LT(loop_rmsd(energy, at, protein), 1e-4);
}

TEST(Damage, EqualSeedsDrawTheSameAndOthersDoNot) {
  const Episode a = draw_episode(1, 2), b = draw_episode(1, 2), c = draw_episode(1, 3);
  ASSERT_EQ(a.native.size(), b.native.size());
  EXPECT_EQ(a.loop.first, b.loop.first);
  EXPECT_EQ(a.bent.phi(a.loop.first), b.bent.phi(b.loop.first));
  EXPECT_NE(a.native.phi(20), c.native.phi(20));
}

TEST(Damage, OnlyTheLoopIsElsewhereAndTheChainIsBrokenBehindIt) {
  const Episode damage = draw_episode(4, 0);
  for (int i = 0; i < damage.native.size(); ++i) {
    if (damage.loop.has(i)) continue;
    EXPECT_LT(length(damage.native.protein().residue(i).at.ca - damage.bent.protein().residue(i).at.ca), 1e-12);
  }
  for (int i = 0; i + 1 < damage.bent.size(); ++i) {
    if (i == damage.loop.last()) continue;
    EXPECT_LT(damage.bent.gap(i), 1e-6) << i;
  }
  EXPECT_GT(damage.bent.gap(damage.loop.last()), 0.5);
}

}  // namespace
}  // namespace elastane::protein_loop
