// lab/protein_loop/repair.h
#include "lab/protein_loop/repair.h"

#include <gtest/gtest.h>

#include "lab/protein_loop/bend.h"

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
    torsions = random_torsions(energy, random, 4);
    LoopRepair(energy, {.restarts = 1}).run(torsions, random);
  }
  EXPECT_EQ(ends[0], ends[1]);
}

}  // namespace
}  // namespace elastane::protein_loop
