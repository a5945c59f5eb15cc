// lab/peptide/world.h
#include "lab/peptide/world.h"

#include <gtest/gtest.h>

#include "tests/paths.h"

namespace elastane::peptide {
namespace {

TEST(PeptideWorld, OpensItsBenchmarkAndRecordsAnEpisode) {
  const lab::World made = world();
  ASSERT_EQ(made.benchmarks.size(), 1U);
  const auto opened = made.benchmarks[0].open(ELASTANE_MODELS);
  ASSERT_TRUE(opened) << opened.error();
  EXPECT_EQ((*opened)->name(), "peptide");
  const auto recorded = made.benchmarks[0].record(ELASTANE_MODELS, {.seed = 1, .episode = 0, .agents = {"frozen"}});
  ASSERT_TRUE(recorded) << recorded.error();
  EXPECT_EQ((*recorded)->captions().size(), 1U);
  EXPECT_FALSE(made.benchmarks[0].open("no/such/folder"));
}

TEST(PeptideWorld, TrainingCallsEndInTheFolder) {
  const auto calls = world().benchmarks[0].training("out");
  ASSERT_EQ(calls.size(), 8U);
  EXPECT_EQ(calls[1].back(), "out/peptide.safetensors");
}

}  // namespace
}  // namespace elastane::peptide
