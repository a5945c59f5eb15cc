// lab/protein_chain/chain.h; torsions as gemmi measures them
#include "lab/protein_chain/chain.h"

#include <gtest/gtest.h>

#include <gemmi/calculate.hpp>
#include <numbers>

#include "tests/lab/protein_chain/chains.h"

namespace elastane::protein_chain {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

double angle_at(const Conformation& r, int a, int b, int c) {
  return std::acos(dot(unit(r.at(a) - r.at(b)), unit(r.at(c) - r.at(b)))) / kDegree;
}

gemmi::Position position(Vec3 r) { return {r.x, r.y, r.z}; }

TEST(Chain, LengthsAndAnglesAreIdealWhateverTheTorsions) {
  const Chain chain = chain_of("ACDEFGHIKLMP");
  Random random(1);
  Conformation r;
  for (int trial = 0; trial < 20; ++trial) {
    chain.place(random_torsions(chain, random), r);
    for (int i = 0; i < chain.residues(); ++i) {
      const int n = chain.index(i, AtomKind::n), ca = chain.ca(i), c = chain.index(i, AtomKind::c),
                o = chain.index(i, AtomKind::o), cb = chain.index(i, AtomKind::cb);
      EXPECT_NEAR(chain.distance(r, n, ca), Geometry::n_ca, 1e-12);
      EXPECT_NEAR(chain.distance(r, ca, c), Geometry::ca_c, 1e-12);
      EXPECT_NEAR(chain.distance(r, c, o), Geometry::c_o, 1e-12);
      EXPECT_NEAR(angle_at(r, n, ca, c), Geometry::n_ca_c, 1e-9);
      EXPECT_NEAR(angle_at(r, ca, c, o), Geometry::ca_c_o, 1e-9);
      if (chain.sequence().has_cb(i)) {
        EXPECT_NEAR(chain.distance(r, ca, cb), Geometry::ca_cb, 1e-12);
        EXPECT_NEAR(angle_at(r, n, ca, cb), Geometry::n_ca_cb, 1e-9);
        EXPECT_NEAR(angle_at(r, c, ca, cb), Geometry::c_ca_cb, 1e-9);
        EXPECT_GT(dot(cross(r.at(n) - r.at(ca), r.at(c) - r.at(ca)), r.at(cb) - r.at(ca)), 0) << "L, not D";
      }
      if (i + 1 == chain.residues()) continue;
      const int next = chain.index(i + 1, AtomKind::n);
      EXPECT_NEAR(chain.distance(r, c, next), Geometry::c_n, 1e-12);
      EXPECT_NEAR(angle_at(r, ca, c, next), Geometry::ca_c_n, 1e-9);
      EXPECT_NEAR(angle_at(r, c, next, chain.ca(i + 1)), Geometry::c_n_ca, 1e-9);
      EXPECT_NEAR(angle_at(r, o, c, next), 360 - Geometry::ca_c_n - Geometry::ca_c_o, 1e-9);
    }
  }
}

TEST(Chain, GemmiMeasuresTheTorsionsThatWerePutIn) {
  const Chain chain = chain_of("ACDEFGHIKL");
  Random random(2);
  Conformation r;
  for (int trial = 0; trial < 20; ++trial) {
    const Torsions torsions = random_torsions(chain, random);
    chain.place(torsions, r);
    const auto at = [&](int residue, AtomKind kind) { return position(r.at(chain.index(residue, kind))); };
    for (int i = 0; i + 1 < chain.residues(); ++i) {
      const auto psi = static_cast<std::size_t>(2 * i);
      EXPECT_NEAR(gemmi::calculate_dihedral(at(i, AtomKind::n), at(i, AtomKind::ca), at(i, AtomKind::c),
                                            at(i + 1, AtomKind::n)),
                  torsions[psi], 1e-9);
      EXPECT_NEAR(gemmi::calculate_dihedral(at(i, AtomKind::c), at(i + 1, AtomKind::n), at(i + 1, AtomKind::ca),
                                            at(i + 1, AtomKind::c)),
                  torsions[psi + 1], 1e-9);
      const double omega = gemmi::calculate_dihedral(at(i, AtomKind::ca), at(i, AtomKind::c), at(i + 1, AtomKind::n),
                                                     at(i + 1, AtomKind::ca));
      EXPECT_NEAR(std::fabs(omega), std::numbers::pi, 1e-6);
    }
  }
}

TEST(Chain, DerivativesOfEveryAtomMatchDifferences) {
  const Chain chain = chain_of("GAVPLIMFWY");
  Random random(3);
  const Torsions torsions = random_torsions(chain, random);
  Conformation r, up, down;
  chain.place(torsions, r);
  for (int t = 0; t < chain.torsions(); ++t) {
    constexpr double kStep = 1e-6;
    Torsions more = torsions, less = torsions;
    more[static_cast<std::size_t>(t)] += kStep;
    less[static_cast<std::size_t>(t)] -= kStep;
    chain.place(more, up);
    chain.place(less, down);
    for (int a = 0; a < chain.atoms(); ++a) {
      const Vec3 slope = (0.5 / kStep) * (up.at(a) - down.at(a)), given = chain.derivative(r, a, t);
      EXPECT_LT(length(slope - given), 1e-7) << "atom " << a << ", torsion " << t;
    }
  }
}

}  // namespace
}  // namespace elastane::protein_chain
