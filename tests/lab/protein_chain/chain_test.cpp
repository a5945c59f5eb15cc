// lab/peptide/sequence.h, sequence.h, pdb.h; torsions as gemmi measures them
#include "lab/peptide/sequence.h"

#include <gtest/gtest.h>

#include <gemmi/calculate.hpp>
#include <gemmi/pdb.hpp>
#include <numbers>

#include "lab/peptide/pdb.h"
#include "tests/lab/peptide/conformations.h"

namespace elastane::peptide {
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

TEST(Chain, APdbFileReadByGemmiHasTheSameAtomsAndTorsions) {
  const Chain chain = chain_of("STNQGPCAVK");
  Random random(4);
  const Torsions torsions = random_torsions(chain, random);
  Conformation r;
  chain.place(torsions, r);
  const std::string file = to_pdb(chain, r, "a test");
  gemmi::Structure structure = gemmi::read_pdb_string(file, "test.pdb");
  ASSERT_EQ(structure.models.size(), 1U);
  ASSERT_EQ(structure.models[0].chains.size(), 1U);
  const gemmi::Chain& read = structure.models[0].chains[0];
  ASSERT_EQ(static_cast<int>(read.residues.size()), chain.residues());
  for (int i = 0; i < chain.residues(); ++i) {
    const gemmi::Residue& residue = read.residues[static_cast<std::size_t>(i)];
    EXPECT_EQ(residue.name, three_letters(chain.sequence().letters[static_cast<std::size_t>(i)]));
    EXPECT_EQ(residue.atoms.size(), chain.sequence().has_cb(i) ? 5U : 4U);
    const auto expect_atom = [&](const char* name, AtomKind kind) {
      const gemmi::Atom* atom = residue.find_atom(name, '*');
      ASSERT_NE(atom, nullptr) << name;
      const Vec3 there = r.at(chain.index(i, kind));
      EXPECT_LT(length(there - Vec3{atom->pos.x, atom->pos.y, atom->pos.z}), 1e-3);
    };
    expect_atom("N", AtomKind::n);
    expect_atom("CA", AtomKind::ca);
    expect_atom("C", AtomKind::c);
    expect_atom("O", AtomKind::o);
    if (chain.sequence().has_cb(i)) expect_atom("CB", AtomKind::cb);
    if (i == 0 || i + 1 == chain.residues()) continue;
    const auto at = static_cast<std::size_t>(i);
    const auto [phi, psi] = gemmi::calculate_phi_psi(&read.residues[at - 1], residue, &read.residues[at + 1]);
    EXPECT_NEAR(wrapped(phi - torsions[2 * at - 1]), 0, 2e-3);
    EXPECT_NEAR(wrapped(psi - torsions[2 * at]), 0, 2e-3);
  }
}

TEST(Sequence, AnUnknownResidueIsNamed) {
  const auto result = parse_sequence("ACDEBGHIK");
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().find("residue 5"), std::string::npos) << result.error();
  EXPECT_NE(result.error().find("\"B\""), std::string::npos);
  EXPECT_FALSE(parse_sequence("acdefghik"));
}

TEST(Sequence, ALengthOutOfRangeIsSaid) {
  EXPECT_FALSE(parse_sequence("ACDEFGH"));
  EXPECT_FALSE(parse_sequence("ACDEFGHIKLMNP"));
  EXPECT_FALSE(parse_sequence(""));
}

TEST(Sequence, ClassesFollowTheResidueAndItsNeighbour) {
  const Sequence s = parse_sequence("AGIPVPGP").value();
  const std::array expected = {Class::general, Class::gly, Class::pre_pro, Class::pro,
                               Class::pre_pro, Class::pro, Class::gly,     Class::pro};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(s.classes[i], expected[i]) << i;
}

}  // namespace
}  // namespace elastane::peptide
