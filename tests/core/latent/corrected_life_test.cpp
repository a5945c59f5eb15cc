// Tests of elastane/core/stream/stream.cpp: a thousand random lives, as the fuzzer correct_fuzz makes them up from bytes.
#include <gtest/gtest.h>

#include "tests/fuzz/corrected_life.h"

namespace elastane {
namespace {

TEST(CorrectedLives, KeepEveryLawWhateverHappens) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const std::vector<std::uint8_t> bytes = life_bytes(seed);
    EXPECT_EQ(CorrectedLife(bytes).run(), "") << "seed " << seed;
  }
}

}  // namespace
}  // namespace elastane
