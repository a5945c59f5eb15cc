// lab/protein_loop/energy_terms.h
#include "lab/protein_loop/energy_terms.h"

#include <gtest/gtest.h>

#include <cmath>

namespace elastane::protein_loop {
namespace {

using protein_chain::AtomKind;

TEST(PairLaw, TheSlopeMatchesDifferences) {
  const PairLaws laws{EnergyOptions{}};
  for (const auto& [a, b] : {std::pair(AtomKind::n, AtomKind::o), std::pair(AtomKind::cb, AtomKind::cb),
                             std::pair(AtomKind::ca, AtomKind::c)}) {
    const PairLaw& law = laws.of(a, b);
    for (double r = 2.0; r < 7; r += 0.13) {
      const auto energy = [&](double r2) {
        EnergyTerms terms;
        law.add(r2, 14, true, terms);
        return terms.total();
      };
      EnergyTerms terms;
      const double slope = law.add(r * r, 14, true, terms).by_r2;
      EXPECT_NEAR(slope, (energy(r * r + 1e-6) - energy(r * r - 1e-6)) / 2e-6, 1e-4 * (1 + std::fabs(slope))) << r;
    }
  }
}

TEST(PairLaw, OnlyHydrogenBondsAndContactsAttract) {
  const PairLaws laws{EnergyOptions{}};
  EnergyTerms terms;
  laws.of(AtomKind::n, AtomKind::o).add(9, 14, true, terms);
  EXPECT_LT(terms.bond, 0);
  laws.of(AtomKind::cb, AtomKind::cb).add(25, 14, true, terms);
  EXPECT_LT(terms.contact, 0);
  EXPECT_EQ(laws.of(AtomKind::ca, AtomKind::ca).depth, 0);
}

TEST(PairLaw, NeighbouringAtomsAreNotScored) {
  EXPECT_FALSE(is_scored(AtomKind::ca, 5, AtomKind::n, 6));
  EXPECT_TRUE(is_scored(AtomKind::cb, 5, AtomKind::cb, 6));
  EXPECT_FALSE(may_attract(2));
  EXPECT_TRUE(may_attract(-3));
}

}  // namespace
}  // namespace elastane::protein_loop
