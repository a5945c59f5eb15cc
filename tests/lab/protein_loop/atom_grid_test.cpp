// lab/protein_loop/atom_grid.h
#include "lab/protein_loop/atom_grid.h"

#include <gtest/gtest.h>

#include "tests/lab/protein_loop/test_site.h"

namespace elastane::protein_loop {
namespace {

TEST(AtomGrid, ListsTheAtomsThatASearchOfAllOfThemFinds) {
  const TestSite site;
  Random random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const Vec3 point = test_protein().residue(random.below(test_protein().size())).at.ca +
                       Vec3{3 * random.normal(), 3 * random.normal(), 3 * random.normal()};
    int near = 0, listed = 0;
    for (const ProteinResidue& residue : test_protein().residues) near += length(residue.at.n - point) < 4.2 ? 1 : 0;
    for (const AtomGrid::Item& item : site.surroundings.near.near(point)) {
      listed += item.kind == AtomKind::n && length(item.at - point) < 4.2 ? 1 : 0;
    }
    EXPECT_EQ(near, listed);
  }
}

TEST(AtomGrid, AKindWithoutReachIsLeftOutAndOutsideThereIsNothing) {
  const std::array<double, 5> only_cb = {0, 0, 6, 0, 0};
  const AtomGrid grid(test_protein(), only_cb);
  for (const AtomGrid::Item& item : grid.near(test_protein().residue(20).at.ca)) EXPECT_EQ(item.kind, AtomKind::cb);
  EXPECT_TRUE(grid.near({1e4, 0, 0}).empty());
}

}  // namespace
}  // namespace elastane::protein_loop
