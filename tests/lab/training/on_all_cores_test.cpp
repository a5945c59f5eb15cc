// lab/training/on_all_cores.h: every number is worked on once, and outcomes are in order.
#include "lab/training/on_all_cores.h"

#include <gtest/gtest.h>

#include <atomic>

namespace elastane::lab {
namespace {

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
}  // namespace elastane::lab
