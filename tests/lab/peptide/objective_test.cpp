// lab/peptide/objective.h
#include "lab/peptide/objective.h"

#include <gtest/gtest.h>

#include "tests/core/objective/laws.h"
#include "tests/lab/peptide/conformations.h"

namespace elastane::peptide {
namespace {

// pairs from the mixtures, so that some terms are at rest and some are not
Torsions likely_torsions(const Chain& chain, Random& random) {
  Torsions torsions = {};
  for (int i = 0; i < chain.residues(); ++i) {
    const Pair pair = draw(chain.sequence().classes[static_cast<std::size_t>(i)], random);
    if (i > 0) torsions[static_cast<std::size_t>(2 * i - 1)] = pair.phi;
    if (i + 1 < chain.residues()) torsions[static_cast<std::size_t>(2 * i)] = pair.psi;
  }
  return torsions;
}

TEST(MoveObjective, AMoveObeysTheLawsOfObjectives) {
  const Chain chain = chain_of("ACPDEGIKLPVY");
  const Energy energy(chain);
  Random random(2);
  for (int n = 0; n < 12; ++n) {
    MoveObjective move(energy);
    move.set_start(n % 2 == 0 ? likely_torsions(chain, random) : random_torsions(chain, random),
                   n % 3 == 0 ? Contact{} : Contact{1, 9}, n % 4 == 0 ? Turn{5, 0.7, -1} : Turn{});
    // six more outputs, which are the distance map's
    const Vector y = normals(random, kMaxTorsions + 6, 0.8);
    expect_gradient_is_slope(move, y);
    expect_symmetric_and_positive(move, y);
    expect_rows_agree(move, y);
  }
}

}  // namespace
}  // namespace elastane::peptide
