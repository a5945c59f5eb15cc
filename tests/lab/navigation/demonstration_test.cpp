// lab/navigation/demonstration.h: shapes, repeatability, and targets that match what follows.
#include "lab/navigation/demonstration.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lab/navigation/encoding.h"

namespace elastane::navigation {
namespace {

TEST(Demonstration, IsTheSameForTheSameSeedAndHasItsShape) {
  const RoutedSite site(random_site(5));
  const DemonstrationOptions options{.steps = 40, .windy = 0, .blind = 0};
  const Demonstration one = demonstrate(site, options, 9), same = demonstrate(site, options, 9);
  EXPECT_EQ(one.x, same.x);
  EXPECT_EQ(one.x.size(), 40U * kInputs);
  EXPECT_EQ(one.target.size(), 40U * kOutputs);
}

TEST(Demonstration, PredictedRaysAreTheInputsOfTheNextStep) {
  const RoutedSite site(random_site(5));
  const Demonstration shown = demonstrate(site, {.steps = 20, .windy = 0, .blind = 0}, 9);
  for (std::size_t t = 0; t + 1 < 20; ++t) {
    for (int i = 0; i < kRays; ++i) {
      const auto ray = static_cast<std::size_t>(i);
      EXPECT_EQ(shown.target[t * kOutputs + kPath + 2 + ray], shown.x[(t + 1) * kInputs + kDisturbance + ray]);
    }
  }
  EXPECT_TRUE(std::isnan(shown.target[19 * kOutputs + kPath]));  // the last step has no successor
}

}  // namespace
}  // namespace elastane::navigation
