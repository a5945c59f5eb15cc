// lab/protein_loop/world.h
#include "lab/protein_loop/world.h"

#include <gtest/gtest.h>

#include "tests/paths.h"

namespace elastane::protein_loop {
namespace {

TEST(LoopWorld, RecordsAnEpisodeOfItsBenchmark) {
  const lab::World made = world();
  ASSERT_EQ(made.benchmarks.size(), 1U);
  const auto recorded = made.benchmarks[0].record(ELASTANE_MODELS, {.seed = 1, .episode = 0, .agents = {"ssm"}});
  ASSERT_TRUE(recorded) << recorded.error();
  EXPECT_EQ((*recorded)->captions().size(), 1U);
  EXPECT_FALSE(made.benchmarks[0].open("no/such/folder"));
}

TEST(LoopWorld, TrainingCallsEndInTheFolder) {
  const auto calls = world().benchmarks[0].training("out");
  ASSERT_EQ(calls.size(), 5U);
  EXPECT_EQ(calls.back().back(), "out/protein_loop_metric.safetensors");
}

TEST(LoopWorld, ReproductionsDeclareTheirOptions) {
  for (const lab::Reproduction& reproduction : world().reproductions) {
    command_line::Command command(reproduction.name, reproduction.what);
    EXPECT_NO_THROW(reproduction.declare(command)) << reproduction.name;
  }
}

}  // namespace
}  // namespace elastane::protein_loop
