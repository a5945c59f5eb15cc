// Tests of lab/images/halting.cpp: what rules see, where they stop, and the thresholds that they get.
#include "lab/images/halting.h"

#include <gtest/gtest.h>

#include <cmath>

namespace elastane::images {
namespace {

// Two classes, four depths. The first example is right at once, the second from depth 3 on, the third never.
Trajectories three_examples() {
  const float margins[3][4] = {{2, 3, 4, 5}, {-1, -0.5F, 1, 4}, {-1, -2, -3, -4}};
  Trajectories t{.depth = 4, .classes = 2};
  for (const auto& example : margins) {
    for (int k = 0; k < 4; ++k) {
      t.logits.insert(t.logits.end(), {0, example[k]});
      t.change.push_back(1.0F / static_cast<float>(k + 1));
      t.size.push_back(2);
    }
    t.labels.push_back(1);
  }
  return t;
}

TEST(ImageHalting, KnowsMarginsAndWhenAnAnswerIsReady) {
  const Trajectories t = three_examples();
  EXPECT_EQ(t.answer(1, 1), 0);
  EXPECT_EQ(t.answer(1, 2), 1);
  EXPECT_FLOAT_EQ(static_cast<float>(t.margin(2, 3)), 4);
  EXPECT_EQ(ready_depths(t), (std::vector<double>{1, 3, 1}));
  EXPECT_FLOAT_EQ(margin_scores(t)[t.at(1, 1)], 0.5F);
  EXPECT_NEAR(confidence_scores(t)[t.at(0, 0)], 1 / (1 + std::exp(-2.0)), 1e-6);
  EXPECT_FLOAT_EQ(still_scores(t)[t.at(0, 1)], -0.5F);
  EXPECT_FLOAT_EQ(relative_scores(t)[t.at(0, 1)], -0.25F);
  EXPECT_FLOAT_EQ(patience_scores(t)[t.at(1, 3)], 1);
}

TEST(ImageHalting, StopsAtTheFirstScoreAboveTheThresholdElseAtTheEnd) {
  const Trajectories t = three_examples();
  const Outcome found = stopped(t, margin_scores(t), 1.5);
  EXPECT_EQ(found.depth, (std::vector<double>{1, 4, 2}));
  EXPECT_NEAR(found.accuracy, 2.0 / 3, 1e-12);
  EXPECT_NEAR(found.mean_depth, 7.0 / 3, 1e-12);
  EXPECT_NEAR(uniform(t, 2).accuracy, 1.0 / 3, 1e-12);
}

TEST(ImageHalting, DepthNeverFallsWithTheThreshold) {
  const Trajectories t = three_examples();
  double before = 0;
  for (double threshold = -1; threshold < 6; threshold += 0.25) {
    const double depth = stopped(t, margin_scores(t), threshold).mean_depth;
    EXPECT_GE(depth, before);
    before = depth;
  }
  EXPECT_EQ(before, 4);
}

TEST(ImageHalting, ChoosesTheLeastDepthThatIsAccurateEnough) {
  const Trajectories t = three_examples();
  EXPECT_EQ(choose_depth(t, 0.6), 3);
  EXPECT_EQ(choose_depth(t, 0.3), 1);
  EXPECT_EQ(choose_depth(t, 0.9), 4);
  const double threshold = choose_threshold(t, margin_scores(t), 0.6);
  EXPECT_GE(stopped(t, margin_scores(t), threshold).accuracy, 0.6);
  EXPECT_LT(stopped(t, margin_scores(t), threshold).mean_depth, 3);
  EXPECT_TRUE(std::isinf(choose_threshold(t, margin_scores(t), 0.9)));
  EXPECT_EQ(stopped(t, margin_scores(t), choose_threshold(t, margin_scores(t), 0.3)).mean_depth, 1);
}

TEST(ImageHalting, QuantilesAreThoseOfAllScores) {
  EXPECT_EQ(quantile({3, 1, 2}, 0.5), 2);
  EXPECT_EQ(quantile({3, 1, 2}, 1), 3);
  EXPECT_EQ(quantile({}, 0.5), 0);
}

}  // namespace
}  // namespace elastane::images
