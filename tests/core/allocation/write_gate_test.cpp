// Tests of elastane/core/allocation/write_gate.cpp: which steps may write to a memory.
#include "elastane/core/allocation/write_gate.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <deque>
#include <vector>

#include "elastane/core/base/random.h"

namespace elastane {
namespace {

// a gate with its state; `key` stands for the key of a step
struct Gated {
  explicit Gated(const WriteGate& with) : gate(with), state(static_cast<std::size_t>(with.floats())) {
    gate.start(state.data());
  }
  bool opens(double surprise, std::uint64_t key = 0) {
    return gate.opens(surprise, state.data(), [&] { return key; });
  }
  WriteGate gate;
  std::vector<float> state;
};

std::vector<float> random_key(Random& random, int n) {
  std::vector<float> key(static_cast<std::size_t>(n));
  for (float& value : key) value = static_cast<float>(random.normal());
  return key;
}

TEST(WriteGate, AThresholdLetsSurpriseThroughAndNothingElse) {
  Gated gate({.policy = WritePolicy::surprise, .threshold = 0.5});
  EXPECT_TRUE(gate.opens(0.51));
  EXPECT_FALSE(gate.opens(0.5));
  EXPECT_FALSE(gate.opens(std::nan("")));
  EXPECT_TRUE(gate.opens(INFINITY));
  EXPECT_TRUE(Gated({}).opens(std::nan(""))) << "always is always";
}

TEST(WriteGate, InAnyStretchABudgetIsKept) {
  for (const double share : {0.0, 0.02, 0.1, 0.37, 1.0}) {
    for (const int burst : {0, 1, 7, 128}) {
      Gated gate({.policy = WritePolicy::budget, .threshold = 0.1, .share = share, .burst = burst});
      Random random(7);
      std::vector<int> before = {0};  // writes up to each step
      for (int t = 0; t < 4000; ++t) {
        const double surprise = t / 500 % 2 == 0 ? random.uniform() : 10;  // quiet, then nothing but surprise
        before.push_back(before.back() + (gate.opens(surprise) ? 1 : 0));
      }
      for (std::size_t from = 0; from < before.size(); from += 37) {
        for (std::size_t to = from; to < before.size(); to += 13) {
          ASSERT_LE(before[to] - before[from], burst + share * static_cast<double>(to - from) + 1e-9)
              << share << ", " << burst << ": steps " << from << " to " << to;
        }
      }
      EXPECT_TRUE(share > 0 || before.back() == burst) << "what was saved up, and no more";
      EXPECT_TRUE(burst > 0 || before.back() == 0);
    }
  }
}

TEST(WriteGate, ABudgetGoesToWhatSurprisesMost) {
  // nine of ten steps surprise a little, one a lot; the budget is one in ten
  Gated gate({.policy = WritePolicy::budget, .threshold = 0.1, .share = 0.1, .burst = 16});
  Random random(3);
  int small = 0, large = 0, all_large = 0;
  for (int t = 0; t < 20000; ++t) {
    const bool is_large = random.below(10) == 0;
    const bool wrote = gate.opens(is_large ? 2 + random.uniform() : 0.2 + 0.2 * random.uniform());
    if (t < 2000) continue;
    (is_large ? large : small) += wrote ? 1 : 0;
    all_large += is_large ? 1 : 0;
  }
  EXPECT_GT(large, 0.8 * all_large);
  EXPECT_LT(small, 0.2 * large);
}

TEST(WriteGate, AKeyMustBeSeenTwiceWithinTheRing) {
  for (const int sightings : {1, 4, 32}) {
    for (const int gap : {1, 3, 31, 33}) {
      Gated gate({.policy = WritePolicy::seen_twice, .threshold = 0.5, .sightings = sightings});
      EXPECT_FALSE(gate.opens(1, 0x1234567890ABCDEFULL));
      Random random(5);
      for (int i = 1; i < gap; ++i) EXPECT_FALSE(gate.opens(1, random.bits())) << "junk is never seen again";
      EXPECT_FALSE(gate.opens(0.4, 0x1234567890ABCDEFULL)) << "without surprise there is nothing to write";
      EXPECT_EQ(gate.opens(1, 0x1234567890ABCDEFULL), gap <= sightings) << sightings << ", " << gap;
    }
  }
}

TEST(WriteGate, WithoutSightingsNothingIsEverWritten) {
  Gated gate({.policy = WritePolicy::seen_twice, .threshold = 0, .sightings = 0});
  for (int t = 0; t < 100; ++t) EXPECT_FALSE(gate.opens(1, 42));
}

TEST(WriteGate, WhatItKeepsAreWholeNumbersThatAFloatHolds) {
  Gated gate({.policy = WritePolicy::seen_twice, .threshold = 0, .sightings = 5});
  Random random(9);
  for (int t = 0; t < 40; ++t) gate.opens(1, random.bits());
  for (const float value : gate.state) EXPECT_TRUE(value >= 0 && value < 65536 && value == std::floor(value));
}

TEST(SignHash, TellsKeysApartByTheirAngle) {
  Random random(11);
  for (const int n : {16, 41, 128}) {
    double unlike = 0, near = 0;
    for (int i = 0; i < 100; ++i) {
      const std::vector<float> key = random_key(random, n), other = random_key(random, n);
      std::vector<float> close = key, scaled = key;
      for (int j = 0; j < n; ++j) close[static_cast<std::size_t>(j)] += 0.05F * other[static_cast<std::size_t>(j)];
      for (float& value : scaled) value *= 3;
      const std::uint64_t hash = sign_hash(key.data(), n);
      EXPECT_EQ(hash, sign_hash(scaled.data(), n));
      unlike += std::popcount(hash ^ sign_hash(other.data(), n)) / 100.0;
      near += std::popcount(hash ^ sign_hash(close.data(), n)) / 100.0;
    }
    EXPECT_NEAR(unlike, 32, 3) << n;
    EXPECT_LT(near, WriteGate::kSameKey) << n;
  }
}

}  // namespace
}  // namespace elastane
