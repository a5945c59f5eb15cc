// lab/peptide/energy.h
#include "lab/peptide/energy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/lab/peptide/conformations.h"

namespace elastane::peptide {
namespace {

// far inside every wall, W is what residuals' differences say
TEST(Energy, CurvatureIsTheSquareOfResidualsDerivatives) {
  const Chain chain = chain_of("AAAAAAAA");
  EnergyOptions only_contact;
  only_contact.wall_weight = only_contact.ramachandran_weight = only_contact.well_depth = 0;
  const Energy energy(chain, only_contact);
  Random random(3);
  const Torsions torsions = random_torsions(chain, random);
  EnergyPoint point, up, down;
  const Contact contact{0, 7};
  std::array<double, 14 * 14> w;
  energy.evaluate(torsions, contact, point);
  energy.curvature(point, {w.data(), 14, 14});
  std::array<double, 14> row;
  for (std::size_t t = 0; t < 14; ++t) {
    Torsions more = torsions, less = torsions;
    more[t] += 1e-6, less[t] -= 1e-6;
    energy.evaluate(more, contact, up);
    energy.evaluate(less, contact, down);
    row[t] = (std::sqrt(2 * up.terms.contact) - std::sqrt(2 * down.terms.contact)) / 2e-6;
  }
  for (std::size_t t = 0; t < 14; ++t) {
    for (std::size_t s = 0; s < 14; ++s)
      EXPECT_NEAR(w[14 * t + s], row[t] * row[s], 1e-5 * (1 + std::fabs(w[14 * t + s])));
  }
}

TEST(Energy, AHelixIsCleanAndAllowedAndItsThirdNeighbourIsInContact) {
  const Chain chain = chain_of("AAAAAAAAAA");
  const Energy energy(chain);
  Torsions helix = {};
  for (int i = 0; i < chain.torsions(); ++i) helix[static_cast<std::size_t>(i)] = i % 2 == 0 ? -0.733 : -1.117;
  EnergyPoint point;
  energy.evaluate(helix, {}, point);
  EXPECT_EQ(energy.clashes(point.conformation), 0);
  EXPECT_EQ(energy.disallowed(point.conformation), 0);
  EXPECT_LT(energy.contact_distance(point.conformation, {2, 5}), kContact);
}

// C of one residue and C of the next are 3 Å apart at αL, whatever ψ between them is: φ alone decides, so it is not a
// clash
TEST(Energy, WhatOneResidueDecidesIsNotAClash) {
  const Chain chain = chain_of("AAAAAAAAAA");
  const Energy energy(chain);
  Torsions torsions = {};
  for (std::size_t t = 0; t < torsions.size(); ++t) torsions[t] = t % 2 == 0 ? 2.3 : -2.0;
  torsions[9] = 0.93, torsions[10] = 0.75;  // φ and ψ of residue 5
  EnergyPoint point;
  for (const double psi : {2.3, 2.6, 2.9}) {
    torsions[8] = psi;  // of residue 4
    energy.evaluate(torsions, {}, point);
    const int c = chain.index(4, AtomKind::c), next = chain.index(5, AtomKind::c);
    EXPECT_NEAR(chain.distance(point.conformation, c, next), 2.98, 0.05);
    EXPECT_EQ(energy.clashes(point.conformation), 0);
  }
}

TEST(Energy, AChainWoundThroughItselfClashesAndMeetsWalls) {
  const Chain chain = chain_of("AAAAAAAAAA");
  const Energy energy(chain);
  Random random(4);
  EnergyPoint point;
  int wound = 0;
  for (int n = 0; n < 100; ++n) {
    energy.evaluate(random_torsions(chain, random), {}, point);
    EXPECT_GT(energy.disallowed(point.conformation), 0);
    if (energy.clashes(point.conformation) == 0) continue;
    ++wound;
    EXPECT_GT(point.terms.wall, 4);
  }
  EXPECT_GT(wound, 20);
}

TEST(Energy, AContactThatCannotBeIsRefused) {
  const Chain chain = chain_of("AAAAAAAAAA");
  EXPECT_TRUE(validate(Contact{0, 9}, chain));
  EXPECT_FALSE(validate(Contact{0, 10}, chain));
  EXPECT_FALSE(validate(Contact{5, 2}, chain));
  const Status near = validate(Contact{3, 5}, chain);
  ASSERT_FALSE(near);
  EXPECT_NE(near.error().find("found 4 and 6"), std::string::npos) << near.error();
}

}  // namespace
}  // namespace elastane::peptide
