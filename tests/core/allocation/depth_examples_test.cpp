// Tests of elastane/core/allocation/depth_examples.cpp: what rules that choose depths come to.
#include "elastane/core/allocation/depth_examples.h"

#include <gtest/gtest.h>

#include <cmath>

namespace elastane {
namespace {

// two steps: the first gains from depth, the second does not
DepthExamples two_steps() {
  DepthExamples examples;
  examples.costs = {0, 1, 2};
  examples.add(std::vector{1.0, 0.0}, std::vector{9.0, 4.0, 1.0});
  examples.add(std::vector{0.0, 1.0}, std::vector{1.0, 1.0, 1.0});
  return examples;
}

TEST(DepthExamples, GiveBackWhatWasAdded) {
  const DepthExamples examples = two_steps();
  EXPECT_EQ(examples.size(), 2u);
  EXPECT_EQ(examples.depths(), 3);
  EXPECT_EQ(examples.feature_count(), 2);
  EXPECT_EQ(examples.features_of(1)[1], 1);
  EXPECT_EQ(examples.losses_of(0)[2], 1);
  EXPECT_TRUE(validate(examples));
}

TEST(DepthFigures, OfTheOracleAreTheBestThatAChoiceCanReach) {
  const DepthExamples examples = two_steps();
  const double price = 0.5;
  const DepthFigures best = judge_oracle(examples, price);
  EXPECT_DOUBLE_EQ(best.loss, 1);
  EXPECT_DOUBLE_EQ(best.cost, 1);  // twice in the first step, never in the second
  EXPECT_EQ(best.histogram, (std::vector{0.5, 0.0, 0.5}));
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      const DepthFigures chosen = judge_choice(examples, [&](std::size_t i) { return i == 0 ? a : b; });
      EXPECT_LE(best.objective(price), chosen.objective(price));
    }
  }
}

TEST(DepthFigures, OfABlindDrawAreTheMixtureOfItsDepths) {
  const DepthExamples examples = two_steps();
  const DepthFigures drawn = judge_drawn(std::vector{0.5, 0.0, 0.5}, examples);
  EXPECT_DOUBLE_EQ(drawn.loss, 0.5 * 5 + 0.5 * 1);
  EXPECT_DOUBLE_EQ(drawn.cost, 1);
  EXPECT_GT(drawn.objective(0.5), judge_oracle(examples, 0.5).objective(0.5));
}

TEST(DepthExamples, ThatDoNotFitAreRefused) {
  const auto refusal = [](auto change) {
    DepthExamples examples = two_steps();
    change(examples);
    return validate(examples).error();
  };
  EXPECT_EQ(refusal([](DepthExamples& e) { e.costs = {0}; }), "[examples] costs: expected 2 to 65, found 1");
  EXPECT_NE(refusal([](DepthExamples& e) { e.losses.pop_back(); }).find("4 and 5 numbers"), std::string::npos);
  EXPECT_NE(refusal([](DepthExamples& e) { e.losses[0] = NAN; }).find("finite"), std::string::npos);
  EXPECT_NE(refusal([](DepthExamples& e) { e.losses.clear(); }).find("at least one example"), std::string::npos);
  EXPECT_NE(validate(two_steps(), 3).error().find("features: expected 3 to 64, found 2"), std::string::npos);
}

}  // namespace
}  // namespace elastane
