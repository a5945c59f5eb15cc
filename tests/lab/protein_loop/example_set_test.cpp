// lab/protein_loop/example_set.h
#include "lab/protein_loop/example_set.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>

namespace elastane::protein_loop {
namespace {

TEST(LoopExampleSet, ExamplesAreThoseOfTheirNumbers) {
  const std::vector<Example> all = make_examples(3, 4, 2, nullptr);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1].x, make_example(3, 5, nullptr).x);
}

TEST(LoopExampleSet, KeptExamplesAreReadAgainAndThoseOfAnotherSeedRefused) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "kept_examples.safetensors";
  std::filesystem::remove(path);
  const std::vector<Example> made = kept_examples(path.string(), 7, 2);
  ASSERT_TRUE(std::filesystem::exists(path));
  const std::vector<Example> read = kept_examples(path.string(), 7, 2);
  ASSERT_EQ(read.size(), made.size());
  for (std::size_t n = 0; n < made.size(); ++n) {
    EXPECT_EQ(read[n].steps, made[n].steps);
    EXPECT_EQ(read[n].x, made[n].x);
    EXPECT_EQ(read[n].target, made[n].target);
  }
  EXPECT_THROW(kept_examples(path.string(), 8, 2), std::runtime_error);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace elastane::protein_loop
