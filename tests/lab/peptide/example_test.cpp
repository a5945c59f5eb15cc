// lab/peptide/example.h
#include "lab/peptide/example.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lab/peptide/observation.h"
#include "tests/lab/peptide/scripted_agent.h"

namespace elastane::peptide {
namespace {

TEST(Example, EqualNumbersGiveEqualExamples) {
  const Example a = make_example(1, 2, nullptr), b = make_example(1, 2, nullptr);
  EXPECT_EQ(a.x, b.x);
  for (std::size_t i = 0; i < a.target.size(); ++i) {
    if (!std::isfinite(a.target[i])) {
      EXPECT_FALSE(std::isfinite(b.target[i]));
      continue;
    }
    EXPECT_EQ(a.target[i], b.target[i]);
    EXPECT_LE(std::fabs(a.target[i]), i % kOutputs < kMaxTorsions ? 1.0F : 5.0F);
  }
  for (const float x : a.x) EXPECT_TRUE(std::isfinite(x));
}

TEST(Example, WhereATraineeMovesTheChainTheExpertStillLabelsEveryStep) {
  ScriptedAgent still([](auto, std::span<float> y) { std::ranges::fill(y, 0.0F); });
  const Example alone = make_example(1, 2, nullptr, {.steps = 24}),
                followed = make_example(1, 2, &still, {.steps = 24});
  EXPECT_NE(alone.x, followed.x);
  ASSERT_EQ(followed.target.size(), static_cast<std::size_t>(24 * kOutputs));
  for (std::size_t step = 0; step < 24; ++step) EXPECT_TRUE(std::isfinite(followed.target[step * kOutputs]));
}

}  // namespace
}  // namespace elastane::peptide
