// lab/peptide/example_set.h
#include "lab/peptide/example_set.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/lab/peptide/scripted_agent.h"

namespace elastane::peptide {
namespace {

TEST(ExampleSet, ExamplesAreThoseOfTheirNumbers) {
  const std::vector<Example> all = make_examples(3, 4, 3);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[2].x, make_example(3, 6, nullptr).x);
}

TEST(ExampleSet, EveryThreadHasItsOwnTrainee) {
  const MakeTrainee make_trainee = [] {
    return std::make_unique<ScriptedAgent>([](auto, std::span<float> y) { std::ranges::fill(y, 0.0F); });
  };
  ScriptedAgent still([](auto, std::span<float> y) { std::ranges::fill(y, 0.0F); });
  EXPECT_EQ(make_examples(3, 0, 2, make_trainee)[1].x, make_example(3, 1, &still).x);
}

}  // namespace
}  // namespace elastane::peptide
