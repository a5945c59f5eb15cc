// Tests of elastane/core/latent/context_memory.cpp: coordinates that a context brings back.
#include "elastane/core/latent/context_memory.h"

#include <gtest/gtest.h>

#include <cmath>

#include "elastane/core/base/random.h"

namespace elastane {
namespace {

using Context = std::vector<float>;

Context seen(int regime, int channels, Random& random) {
  Context context(static_cast<std::size_t>(channels));
  Random own(static_cast<std::uint64_t>(regime) + 50);
  for (float& x : context) x = static_cast<float>(own.normal() + 0.05 * random.normal());
  return context;
}

TEST(ContextMemory, RecallsWhatWasLearnedInAnEarlierVisit) {
  constexpr int kRegimes = 4, kChannels = 16;
  ContextMemory memory(kChannels, 2);
  Random random(1);
  std::vector<double> recalled(2);
  int begun = 0;
  for (int visit = 0; visit < 12; ++visit) {
    const int regime = visit % kRegimes;
    for (int t = 0; t < 20; ++t) {
      // what was learned in the visit before
      const int before = (visit + kRegimes - 1) % kRegimes;
      const std::vector<double> now = {1.0 + before, -0.5 * before};
      if (!memory.enter(seen(regime, kChannels, random), now, recalled)) continue;
      begun += t == 0 ? 1 : 0;
      EXPECT_LT(t, 8) << "then the context is known";
      if (visit < kRegimes) continue;
      EXPECT_NEAR(recalled[0], 1.0 + regime, 0.35) << visit;
      EXPECT_NEAR(recalled[1], -0.5 * regime, 0.35) << visit;
    }
  }
  EXPECT_EQ(begun, 12);
  EXPECT_EQ(memory.visits(), 12);
}

TEST(ContextMemory, NothingIsKnownAtFirstNorAfterReset) {
  ContextMemory memory(8, 1);
  Random random(2);
  std::vector<double> recalled = {9};
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(memory.enter(seen(1, 8, random), {}, recalled));
    EXPECT_EQ(recalled[0], 0);
    const double learned[] = {3};
    EXPECT_TRUE(memory.enter(seen(2, 8, random), learned, recalled));
    EXPECT_NEAR(recalled[0], 3, 1.5) << "of a new context nothing is known: it stays as it is";
    EXPECT_TRUE(memory.enter(seen(1, 8, random), learned, recalled));
    EXPECT_NEAR(recalled[0], 3, 0.3);
    memory.reset();
  }
}

TEST(ContextMemory, AContextOfZerosOrWithoutNumbersChangesNothing) {
  ContextMemory memory(3, 1);
  std::vector<double> recalled = {7};
  EXPECT_FALSE(memory.enter(Context{0, 0, 0}, {}, recalled));
  EXPECT_FALSE(memory.enter(Context{NAN, 1, 0}, {}, recalled));
  EXPECT_FALSE(memory.enter(Context{INFINITY, 1, 0}, {}, recalled));
  EXPECT_FALSE(memory.enter(Context{}, {}, recalled));
  EXPECT_EQ(recalled[0], 7);
  EXPECT_EQ(memory.visits(), 0);
}

}  // namespace
}  // namespace elastane
