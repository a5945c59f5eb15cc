// lab/peptide/pdb.h; a file as gemmi reads it
#include "lab/peptide/pdb.h"

#include <gtest/gtest.h>

#include <gemmi/calculate.hpp>
#include <gemmi/pdb.hpp>

#include "tests/lab/peptide/conformations.h"

namespace elastane::peptide {
namespace {

TEST(PeptidePdb, AFileReadByGemmiHasTheSameAtomsAndTorsions) {
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

}  // namespace
}  // namespace elastane::peptide
