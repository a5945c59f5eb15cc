// lab/protein_loop/observation.h
#include "lab/protein_loop/observation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/lab/protein_loop/test_site.h"

namespace elastane::protein_loop {
namespace {

TEST(LoopObservation, IsFiniteAndItsDirectionHasLengthOne) {
  const TestSite site;
  Random random(8);
  EnergyPoint point;
  std::vector<float> x(kInputs);
  site.energy.evaluate(near_native(site.energy, random, 0.3), {}, point);
  observe(site.energy, point, x);
  double squares = 0;
  for (std::size_t t = 0; t < kTorsions; ++t) squares += std::pow(x[2 * kTorsions + 5 * kWindow + 9 + t], 2);
  EXPECT_NEAR(squares, 1, 1e-5);
  for (const float value : x) EXPECT_TRUE(std::isfinite(value));
}

TEST(LoopObservation, DoesNotChangeWhenTheProteinIsShifted) {
  const TestSite site;
  Protein shifted = test_protein();
  for (ProteinResidue& r : shifted.residues) {
    for (Vec3* at : {&r.at.n, &r.at.ca, &r.at.c, &r.o}) *at += {5, -3, 11};
  }
  const Surroundings surroundings(shifted, {});
  const Energy there(shifted, surroundings, kTestLoop);
  Random random(9);
  const Torsions torsions = near_native(site.energy, random, 0.2);
  EnergyPoint point;
  std::vector<float> x(kInputs), y(kInputs);
  site.energy.evaluate(torsions, {}, point);
  observe(site.energy, point, x);
  there.evaluate(torsions, {}, point);
  observe(there, point, y);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-4F) << i;
}

}  // namespace
}  // namespace elastane::protein_loop
