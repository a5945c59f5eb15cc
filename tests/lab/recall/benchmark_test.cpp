// lab/recall/benchmark.cpp: prompts as a benchmark.
#include "lab/recall/benchmark.h"

#include <gtest/gtest.h>

#include "elastane/io/model_file.h"
#include "lab/recall/roster.h"
#include "tests/lab/recall/glass_models.h"

namespace elastane::recall {
namespace {

TEST(PromptBenchmark, PlaysEveryAgentAlikeForTheSameEpisode) {
  const std::string folder = testing::TempDir();
  save_model(folder + "/recall_small.safetensors", glass_config(), random_tensors(glass_config(), 1)).value();
  const auto benchmark = make_benchmark(folder).value();
  EXPECT_EQ(benchmark->agents().size(), roster().size());
  EXPECT_EQ(benchmark->reference(), "dense");
  benchmark::Latency latency;
  double dense = 0;
  for (int agent = 0; agent < 2; ++agent) {
    const auto a = benchmark->player(agent)->play(1, 3, latency), b = benchmark->player(agent)->play(1, 3, latency);
    EXPECT_EQ(a, b);
    if (agent == 0) dense = a.macs;
    EXPECT_LE(a.macs, dense);
  }
  EXPECT_FALSE(make_benchmark("/nowhere"));
}

}  // namespace
}  // namespace elastane::recall
