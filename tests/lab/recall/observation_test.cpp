// lab/recall/observation.cpp: what a model sees of a step.
#include "lab/recall/observation.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <set>

namespace elastane::recall {
namespace {

std::array<float, kInputs> seen(const Step& step) {
  std::array<float, kInputs> x;
  x.fill(7);
  observe(step, x);
  return x;
}

float sum(const std::array<float, kInputs>& x) { return std::accumulate(x.begin(), x.end(), 0.0F); }

TEST(Observation, TellsEveryPartOfAStep) {
  std::set<std::array<float, kInputs>> all;
  const Step plain{.value = 2};
  all.insert(seen(plain));
  for (const Step& step : {Step{.value = 3}, Step{.value = 2, .key = 5}, Step{.value = 2, .needle = true},
                           Step{.value = 2, .query = true}, Step{.value = 2, .point = true, .x = 0.3, .y = 0.1},
                           Step{.value = 2, .point = true, .x = 0.3, .y = 0.2}, Step{.value = 2, .marker = 4}}) {
    EXPECT_TRUE(all.insert(seen(step)).second);
  }
  EXPECT_EQ(sum(seen(plain)), 1);
}

TEST(Observation, HidesTheLabelAndTheAnswerOfAQuery) {
  const Step asked{.value = 2, .key = 1, .query = true, .point = true, .x = 0.4};
  Step answered = asked;
  answered.label = 3, answered.y = 0.7;
  EXPECT_EQ(seen(asked), seen(answered));
}

TEST(Observation, SpreadsYOverTwoCellsThatSumToOne) {
  const Step none{.value = 0, .point = true, .x = 0.1, .y = -kHeight};
  for (const double y : {-kHeight, -0.4, 0.0, 0.77, kHeight}) {
    Step step = none;
    step.y = y;
    EXPECT_NEAR(sum(seen(step)), sum(seen(none)), 1e-5) << y;
  }
}

TEST(Observation, TellsAQueryFromARecord) {
  const Step record{.value = 2, .key = 5, .point = true, .x = 0.4, .y = -kHeight};
  Step query = record;
  query.query = true;
  const auto a = seen(record), b = seen(query);
  int shared = 0;
  for (int i = 0; i < kInputs; ++i) shared += a[i] != 0 && b[i] != 0 ? 1 : 0;
  EXPECT_EQ(shared, 1);  // the value alone
}

}  // namespace
}  // namespace elastane::recall
