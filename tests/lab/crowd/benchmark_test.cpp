// lab/crowd/benchmark.h: shares, means of successes, and paired comparison.
#include "lab/crowd/benchmark.h"

#include <gtest/gtest.h>

namespace elastane::crowd {
namespace {

TEST(CrowdBenchmark, MeansAreOverSuccesses) {
  const Results results{
      .outcomes = {{Ending::reached, 10, 0.2}, {Ending::reached, 12, 0.4}, {Ending::collided, 3, -1}}};
  EXPECT_DOUBLE_EQ(results.share(Ending::reached), 2.0 / 3);
  EXPECT_DOUBLE_EQ(results.mean_time(), 11);
  EXPECT_DOUBLE_EQ(results.mean_nearest(), 0.3);
}

TEST(CrowdBenchmark, ComparesAgentsEpisodeByEpisode) {
  const Results first{.outcomes = {{Ending::reached, 10, 0}, {Ending::reached, 9, 0}, {Ending::collided, 1, 0}}};
  const Results second{.outcomes = {{Ending::reached, 12, 0}, {Ending::collided, 2, 0}, {Ending::too_late, 25, 0}}};
  const Comparison comparison = compare(first, second);
  EXPECT_EQ(comparison.only_first, 1);
  EXPECT_EQ(comparison.only_second, 0);
  EXPECT_DOUBLE_EQ(comparison.seconds.mean, -2);
}

TEST(CrowdBenchmark, TestsTimeWhereBothSucceeded) {
  Results first, second;
  for (int i = 0; i < 10; ++i) {
    first.outcomes.push_back({Ending::reached, 9.0 + i, 0}), second.outcomes.push_back({Ending::reached, 10.0 + i, 0});
  }
  first.outcomes.push_back({Ending::reached, 100, 0}), second.outcomes.push_back({Ending::collided, 1, 0});
  EXPECT_DOUBLE_EQ(compare(first, second).seconds.mean, -1);
  EXPECT_DOUBLE_EQ(compare(first, second).seconds_p, 2.0 / 1024);  // all 2¹⁰ exchanges, two of which are as extreme
  EXPECT_DOUBLE_EQ(compare(first, first).seconds_p, 1);
}

TEST(CrowdBenchmark, PlaysEveryEpisodeAndTimesItsSteps) {
  StraightAgent agent;
  std::size_t done = 0;
  const Results results = play_all({draw_episode(1), draw_episode(2)}, agent, [&](std::size_t n) { done = n; });
  EXPECT_EQ(done, 2U);
  EXPECT_EQ(results.outcomes.size(), 2U);
  EXPECT_GT(results.latency.total(), 0U);
}

}  // namespace
}  // namespace elastane::crowd
