// lab/protein_chain/torsion_derivatives.h
#include "lab/protein_chain/torsion_derivatives.h"

#include <gtest/gtest.h>

#include "tests/lab/protein_chain/chains.h"

namespace elastane::protein_chain {
namespace {

TEST(TorsionDerivatives, PulledBackForcesAreTheSumOverAtoms) {
  const Chain chain = chain_of("ACGPVL");
  Random random(1);
  Conformation at;
  chain.place(random_torsions(chain, random), at);
  std::vector<Vec3> force;
  for (int a = 0; a < chain.atoms(); ++a) force.push_back({random.normal(), random.normal(), random.normal()});
  std::vector<double> gradient(static_cast<std::size_t>(chain.torsions()));
  pull_back(chain, at, force, gradient);
  for (int t = 0; t < chain.torsions(); ++t) {
    double sum = 0;
    for (int a = 0; a < chain.atoms(); ++a) sum += dot(force[static_cast<std::size_t>(a)], chain.derivative(at, a, t));
    EXPECT_NEAR(gradient[static_cast<std::size_t>(t)], sum, 1e-9);
  }
}

TEST(TorsionDerivatives, ARowAddsTheSquareOfItsDerivative) {
  const Chain chain = chain_of("ACGPVL");
  const int n = chain.torsions(), a = chain.ca(5);
  Random random(2);
  Conformation at;
  chain.place(random_torsions(chain, random), at);
  const Vec3 push{0.5, -1, 2};
  std::vector<double> storage(static_cast<std::size_t>(n * n), 0.0);
  const DoubleRows w{storage.data(), n, n};
  add_row(at, 0, chain.atom(a).depth, at.at(a), push, w);
  complete(w);
  for (int t = 0; t < n; ++t) {
    for (int s = 0; s < n; ++s) {
      const double expected = dot(push, chain.derivative(at, a, t)) * dot(push, chain.derivative(at, a, s));
      EXPECT_NEAR(w[t][s], expected, 1e-9);
    }
  }
}

}  // namespace
}  // namespace elastane::protein_chain
