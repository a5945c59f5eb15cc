// Tests of Target, in elastane/core/objective/objective.h.
#include "elastane/core/objective/objective.h"

#include <gtest/gtest.h>

#include <array>

namespace elastane {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(Target, OffersTheChannelsThatArePresentAndFinite) {
  const std::array<float, 4> values = {1, kNan, 3, 2e18F};
  const std::array<std::uint8_t, 1> present = {0};
  EXPECT_TRUE(Target{.values = values}.offers(0));
  EXPECT_FALSE((Target{.values = values, .present = present}.offers(0)));
  EXPECT_FALSE(Target{.values = values}.offers(1));
  EXPECT_TRUE((Target{.values = values, .present = present}.offers(2))) << "beyond the mask: present";
  EXPECT_FALSE(Target{.values = values}.offers(3)) << "too large";
  EXPECT_FALSE(Target{.values = values}.offers(4)) << "beyond the values";
}

TEST(Target, WeighsByTheInverseVariance) {
  const std::array<float, 2> values = {1, 2}, noises = {0.5F, 0};
  const Target target{.values = values, .noises = noises, .temperature = 2};
  EXPECT_DOUBLE_EQ(target.weight(0), 1 / (2 * 0.25));
  EXPECT_EQ(target.weight(1), 0.0) << "a noise of zero is not a noise";
  EXPECT_DOUBLE_EQ((Target{.values = values, .noise = 2}.weight(1)), 0.25);
  EXPECT_EQ((Target{.values = values, .noise = 1e-30}.weight(0)), 1 / kSmallestVariance);
}

TEST(Target, IsEmptyIfEveryChannelIsMissing) {
  const std::array<float, 2> missing = {kNan, kNan}, one = {kNan, 1};
  EXPECT_TRUE(Target{}.empty());
  EXPECT_TRUE(Target{.values = missing}.empty());
  EXPECT_FALSE(Target{.values = one}.empty());
}

}  // namespace
}  // namespace elastane
