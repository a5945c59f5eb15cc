// elastane/core/forecast/mixture.cpp
#include "elastane/core/forecast/mixture.h"

#include <gtest/gtest.h>

#include <cmath>

#include "elastane/core/base/random.h"

namespace elastane {
namespace {

TEST(Mixture, WeightsAreSharesAndNoneIsEverLost) {
  const MixtureOptions options;
  const std::vector<double> first = {0.4, 0.3, 0.3};
  std::vector<double> weights = first, common(9);
  Random random(2);
  for (int t = 0; t < 5000; ++t) {
    const double errors[] = {random.normal(), 3 * random.normal(), 10 * random.normal()};
    follow(options, 0, errors, first, common.data(), weights);
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_GE(weights[i], 0.9 * options.share * first[i]);
      sum += weights[i];
    }
    ASSERT_NEAR(sum, 1, 1e-12);
  }
  EXPECT_GT(weights[0], 0.85);
}

TEST(Mixture, IsNoWorseThanItsBestMemberAndBetterThanBothIfTheyErrApart) {
  const MixtureOptions options{.caution = 0};
  const std::vector<double> first = {0.5, 0.5};
  std::vector<double> weights = first, common(4);
  Random random(3);
  double mixed = 0, alone[2] = {};
  for (int t = 0; t < 20000; ++t) {
    const double errors[] = {random.normal(), 1.2 * random.normal()};
    if (t > 5000) {
      mixed += std::pow(weights[0] * errors[0] + weights[1] * errors[1], 2);
      for (int i = 0; i < 2; ++i) alone[i] += errors[i] * errors[i];
    }
    follow(options, 0, errors, first, common.data(), weights);
  }
  EXPECT_LT(mixed, 0.65 * std::min(alone[0], alone[1]));  // the best is .59: 1/(1 + 1/1.44)
}

TEST(Mixture, AMemberThatIsHardlyBetterDoesNotReplaceTheFavouredOne) {
  const MixtureOptions options;
  const std::vector<double> first = {0.4, 0.3, 0.3};
  for (const double better : {0.995, 0.8}) {
    std::vector<double> weights = first, common(9);
    Random random(5);
    for (int t = 0; t < 5000; ++t) {
      const double error = random.normal();
      const double errors[] = {error / better, error, better * error};
      follow(options, 1, errors, first, common.data(), weights);
    }
    EXPECT_GT(weights[better > 0.9 ? 1 : 2], 0.5) << better;
  }
}

TEST(Mixture, AfterAChangeOfTheSeasonOnlyForecastsMadeSinceCountAndTheyCountMore) {
  const MixtureOptions options;
  const double usual = 1 - options.memory;
  EXPECT_EQ(mixture_gain(options, INFINITY, 24), usual);
  EXPECT_EQ(mixture_gain(options, 23, 24), 0) << "made before";
  EXPECT_GT(mixture_gain(options, 24, 24), 20 * usual);
  // one season of errors is forgotten quickly, and the usual memory comes back
  for (double since = 24; since < 100'000; since *= 1.5) {
    EXPECT_GE(mixture_gain(options, since, 24), mixture_gain(options, 1.5 * since, 24));
  }
  EXPECT_EQ(mixture_gain(options, 100'000, 24), usual);
}

TEST(Mixture, APreferredMemberGetsItsShareAndTheOthersKeepTheirProportions) {
  std::vector<double> weights = {0.6, 0.1, 0.3, 0.1, 0.1, 0.8};  // [3 members][2 steps]
  prefer(2, 0.7, 3, 2, weights.data());
  EXPECT_NEAR(weights[4], 0.7, 1e-12);
  EXPECT_NEAR(weights[0] / weights[2], 2, 1e-12);
  EXPECT_NEAR(weights[0] + weights[2] + weights[4], 1, 1e-12);
  EXPECT_EQ(weights[5], 0.8) << "has it already";
}

}  // namespace
}  // namespace elastane
