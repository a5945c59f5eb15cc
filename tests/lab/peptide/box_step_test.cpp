// lab/peptide/box_step.h
#include "lab/peptide/box_step.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "elastane/core/base/random.h"

namespace elastane::peptide {
namespace {

constexpr int kSize = 10;

// A = BBᵀ + I, g and y of a problem in a box
struct Problem {
  std::array<double, kSize* kSize> a = {};
  std::array<double, kSize> slope, y;

  explicit Problem(Random& random) {
    std::array<double, kSize * kSize> b;
    for (double& value : b) value = random.normal();
    for (int t = 0; t < kSize; ++t) {
      for (int s = 0; s < kSize; ++s) {
        double sum = t == s ? 1 : 0;
        for (int k = 0; k < kSize; ++k)
          sum += b[static_cast<std::size_t>(t * kSize + k)] * b[static_cast<std::size_t>(s * kSize + k)];
        a[static_cast<std::size_t>(t * kSize + s)] = sum;
      }
      slope[static_cast<std::size_t>(t)] = 4 * random.normal();
      y[static_cast<std::size_t>(t)] = random.uniform(-1, 1);
    }
  }
  ConstDoubleRows matrix() const { return {a.data(), kSize, kSize}; }
  // ½sᵀAs + gᵀs, and its slope
  double value(std::span<const double> s) const {
    double sum = 0;
    for (std::size_t t = 0; t < kSize; ++t) sum += s[t] * (slope[t] + 0.5 * (slope_at(s, t) - slope[t]));
    return sum;
  }
  double slope_at(std::span<const double> s, std::size_t t) const {
    double sum = slope[t];
    for (std::size_t k = 0; k < kSize; ++k) sum += a[t * kSize + k] * s[k];
    return sum;
  }
};

TEST(BoxStep, StaysInTheBoxAndNearlyAlwaysLeadsDownhill) {
  Random random(1);
  BoxStep box(kSize);
  int at_rest = 0, downhill = 0;
  for (int n = 0; n < 100; ++n) {
    const Problem problem(random);
    std::array<double, kSize> step;
    ASSERT_TRUE(box.solve(problem.matrix(), problem.slope, problem.y, step));
    for (std::size_t t = 0; t < kSize; ++t) {
      const double there = problem.y[t] + step[t];
      EXPECT_LE(std::fabs(there), 1 + 1e-12);
      at_rest += std::fabs(there) < 1 - 1e-9 && std::fabs(problem.slope_at(step, t)) < 1e-9 ? 1 : 0;
    }
    downhill += problem.value(step) < 0 ? 1 : 0;
  }
  EXPECT_GE(downhill, 90);
  EXPECT_GT(at_rest, 100) << "what is free has no slope left";
}

TEST(BoxStep, IsNewtonsWhereTheBoxIsFarAndExactWhereTorsionsAreApart) {
  Random random(2);
  Problem problem(random);
  BoxStep box(kSize);
  std::array<double, kSize> step;
  for (std::size_t t = 0; t < kSize; ++t) problem.slope[t] *= 1e-3, problem.y[t] *= 0.5;
  ASSERT_TRUE(box.solve(problem.matrix(), problem.slope, problem.y, step));
  for (std::size_t t = 0; t < kSize; ++t) EXPECT_NEAR(problem.slope_at(step, t), 0, 1e-12);

  problem.a = {};
  for (std::size_t t = 0; t < kSize; ++t) problem.a[t * kSize + t] = 2, problem.slope[t] = random.normal() * 5;
  ASSERT_TRUE(box.solve(problem.matrix(), problem.slope, problem.y, step));
  for (std::size_t t = 0; t < kSize; ++t) {
    EXPECT_NEAR(problem.y[t] + step[t], std::clamp(problem.y[t] - problem.slope[t] / 2, -1.0, 1.0), 1e-12);
  }
}

TEST(BoxStep, AMatrixThatIsNotPositiveIsRefused) {
  Random random(3);
  Problem problem(random);
  problem.a = {};
  std::array<double, kSize> step;
  EXPECT_FALSE(BoxStep(kSize).solve(problem.matrix(), problem.slope, problem.y, step));
}

}  // namespace
}  // namespace elastane::peptide
