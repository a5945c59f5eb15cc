// Tests of elastane/core/allocation/scoring_network.cpp.
#include "elastane/core/allocation/scoring_network.h"

#include <gtest/gtest.h>

#include <cmath>

namespace elastane {
namespace {

ScoringNetwork some_network() {
  return {.hidden_weight = {1, -2, 0.5, 3, 0, 1},
          .hidden_bias = {0.1, -0.2},
          .score_weight = {1, 2, -1, 4, 0.5, 0},
          .score_bias = {0, 1, -1}};
}

TEST(ScoringNetwork, KnowsItsSizes) {
  const ScoringNetwork network = some_network();
  EXPECT_EQ(network.features(), 3);
  EXPECT_EQ(network.hidden(), 2);
  EXPECT_EQ(network.scores(), 3);
  EXPECT_EQ(network.macs(), 12);
  EXPECT_TRUE(network.present());
  EXPECT_FALSE(ScoringNetwork{}.present());
  EXPECT_EQ(ScoringNetwork{}.features(), 0);
}

TEST(ScoringNetwork, ScoresByItsEquations) {
  const ScoringNetwork network = some_network();
  const double f[] = {0.3, -1, 2};
  double a[2], o[3];
  network.score(f, a, o);
  const auto softsign = [](double x) { return x / (1 + std::fabs(x)); };
  const double first = softsign(0.1 + 0.3 + 2 + 1), second = softsign(-0.2 + 0.9 + 2);
  EXPECT_NEAR(a[0], first, 1e-15);
  EXPECT_NEAR(a[1], second, 1e-15);
  EXPECT_NEAR(o[0], first + 2 * second, 1e-14);
  EXPECT_NEAR(o[1], 1 - first + 4 * second, 1e-14);
  EXPECT_NEAR(o[2], -1 + 0.5 * first, 1e-14);
}

TEST(ScoringNetwork, WhoseNumbersDoNotFitIsRefused) {
  const ScoringLimits limits{.least_features = 2, .most_scores = 5, .score = "modes"};
  EXPECT_TRUE(validate(some_network(), limits));
  const auto refusal = [&](auto change) {
    ScoringNetwork network = some_network();
    change(network);
    return validate(network, limits).error();
  };
  EXPECT_NE(refusal([](ScoringNetwork& n) { n.score_bias.resize(6); }).find("1 to 5 modes, found 6"),
            std::string::npos);
  EXPECT_NE(refusal([](ScoringNetwork& n) { n.hidden_weight.resize(2); }).find("2 to 64 features"), std::string::npos);
  EXPECT_NE(refusal([](ScoringNetwork& n) { n.score_weight.pop_back(); }).find("expected 6 numbers"),
            std::string::npos);
  EXPECT_NE(refusal([](ScoringNetwork& n) { n.hidden_bias.clear(); }).find("hidden.bias"), std::string::npos);
  EXPECT_NE(refusal([](ScoringNetwork& n) { n.hidden_bias[0] = NAN; }).find("finite"), std::string::npos);
}

}  // namespace
}  // namespace elastane
