// lab/benchmark/parallel.h: every number is worked on once, and outcomes are in order.
#include "lab/benchmark/parallel.h"

#include <gtest/gtest.h>

#include <atomic>

namespace elastane::benchmark {
namespace {

TEST(InParallel, CallsEachThreadOnceAndWaitsForAll) {
  std::vector<int> seen(5);
  in_parallel(5, [&](int index) { seen[static_cast<std::size_t>(index)] += 1; });
  EXPECT_EQ(seen, std::vector<int>(5, 1));
}

TEST(InParallel, EndsAllThreadsBeforeItThrows) {
  std::atomic<int> ended = 0;
  EXPECT_THROW(in_parallel(4,
                           [&](int index) {
                             ++ended;
                             if (index == 2) throw index;
                           }),
               int);
  EXPECT_EQ(ended, 4);
}

TEST(OnAllCores, DoesEachPartOnceAndInOrder) {
  std::atomic<int> calls = 0;
  const std::vector<int> found = on_all_cores<int>(100, [&] { return [&](int n) { return ++calls, n * n; }; });
  EXPECT_EQ(calls, 100);
  ASSERT_EQ(found.size(), 100U);
  for (int n = 0; n < 100; ++n) EXPECT_EQ(found[static_cast<std::size_t>(n)], n * n);
}

TEST(OnAllCores, PassesOnWhatAWorkerThrows) {
  EXPECT_ANY_THROW(on_all_cores<int>(3, [] { return [](int n) -> int { throw n; }; }));
}

TEST(OnAllCores, DoesNothingForNothing) {
  EXPECT_TRUE(on_all_cores<int>(0, [] { return [](int n) { return n; }; }).empty());
}

}  // namespace
}  // namespace elastane::benchmark
