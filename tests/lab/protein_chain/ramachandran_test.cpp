// lab/protein_chain/ramachandran.h
#include "lab/protein_chain/ramachandran.h"

#include <gtest/gtest.h>

#include <fstream>
#include <numbers>
#include <sstream>

#include "tests/data.h"

namespace elastane::protein_chain {
namespace {

TEST(Ramachandran, DerivativesMatchDifferences) {
  Random random(1);
  for (int n = 0; n < 200; ++n) {
    const auto residue = static_cast<Class>(random.below(kClasses));
    const double phi = random.uniform(-3, 3), psi = random.uniform(-3, 3), step = 1e-6;
    const auto energy = [&](double f, double s) { return ramachandran(residue, Angle::of(f), Angle::of(s)).energy; };
    const Likelihood e = ramachandran(residue, Angle::of(phi), Angle::of(psi));
    EXPECT_NEAR(e.by_phi, (energy(phi + step, psi) - energy(phi - step, psi)) / (2 * step), 1e-6);
    EXPECT_NEAR(e.by_psi, (energy(phi, psi + step) - energy(phi, psi - step)) / (2 * step), 1e-6);
  }
}

// what counts as allowed here is allowed by MolProbity's contours as well, where they are available
TEST(Ramachandran, AllowedRegionsLieInThoseOfTop8000) {
  const std::string folder = data_folder() + "/ramachandran/rama8000-";
  const std::array<std::pair<const char*, double>, kClasses> contours = {{{"general-noGPIVpreP", .0005},
                                                                          {"ileval-nopreP", .001},
                                                                          {"gly-sym", .001},
                                                                          {"transpro", .001},
                                                                          {"prepro-noGP", .001}}};
  for (std::size_t c = 0; c < kClasses; ++c) {
    std::ifstream file(folder + contours[c].first + ".data");
    if (!file) GTEST_SKIP() << "no contours in " << folder;
    int allowed = 0, outside = 0;
    for (std::string line; std::getline(file, line);) {
      double phi = 0, psi = 0, level = 0;
      if (line.starts_with('#') || !(std::istringstream(line) >> phi >> psi >> level)) continue;
      const auto angle = [](double degrees) { return Angle::of(degrees * std::numbers::pi / 180); };
      if (!is_allowed(static_cast<Class>(c), angle(phi), angle(psi))) continue;
      ++allowed;
      outside += level < contours[c].second ? 1 : 0;
    }
    EXPECT_GT(allowed, 1000) << contours[c].first;
    EXPECT_LE(outside, allowed / 1000) << contours[c].first;
  }
}

TEST(Basins, AreAllowedAndFarFromEachOther) {
  for (int c = 0; c < kClasses; ++c) {
    const std::span<const Pair> all = basins(static_cast<Class>(c));
    EXPECT_GE(all.size(), 2U);
    for (const Pair& pair : all) {
      EXPECT_TRUE(is_allowed(static_cast<Class>(c), Angle::of(pair.phi), Angle::of(pair.psi))) << c;
    }
  }
}

}  // namespace
}  // namespace elastane::protein_chain
