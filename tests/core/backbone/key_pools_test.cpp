// Tests of elastane/core/backbone/key_pools.h and .cpp: what a router is shown of the past.
#include "elastane/core/backbone/key_pools.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace elastane {
namespace {

const KeyPools kPools{.kv_heads = 2, .size = 3, .block = 16, .begin = 16};

TEST(KeyPools, HoldTheFirstMeanThoseOfTheLastBlocksAndTheMaximum) {
  std::vector<float> dense(static_cast<std::size_t>(16 + kPools.floats()));
  std::vector<std::vector<double>> keys;
  for (int t = 0; t < 70; ++t) {
    float key[6];
    keys.emplace_back();
    for (int i = 0; i < 6; ++i) keys.back().push_back(key[i] = static_cast<float>(std::sin(t + 7 * i)) - 2.0F);
    kPools.add(key, static_cast<std::uint64_t>(t), dense.data());
    if (t < 15) continue;
    double found[18];
    ASSERT_EQ(kPools.features(), 18);
    kPools.read(dense.data(), found);
    for (std::size_t i = 0; i < 6; ++i) {
      double first_mean = 0, last_mean = 0, most = -1e9;
      for (int block = 0; block < (t + 1) / 16; ++block) {
        double mean = 0;
        for (int s = 16 * block; s < 16 * (block + 1); ++s) mean += keys[static_cast<std::size_t>(s)][i] / 16;
        if (block == 0) first_mean = last_mean = mean;
        last_mean = 0.5 * (last_mean + mean);  // each block counts half as much as the one after it
      }
      for (const auto& row : keys) most = std::max(most, row[i]);
      EXPECT_NEAR(found[i], first_mean, 1e-6);
      EXPECT_NEAR(found[6 + i], last_mean, 1e-6);
      EXPECT_EQ(found[12 + i], most);
    }
  }
}

TEST(KeyPools, IgnoreWhatIsNotAdmissible) {
  std::vector<float> dense(static_cast<std::size_t>(16 + kPools.floats()));
  float key[6] = {1, std::nanf(""), HUGE_VALF, 1e30F, -2, 3};
  for (std::uint64_t t = 0; t < 40; ++t) kPools.add(key, t, dense.data());
  for (const float value : dense) EXPECT_TRUE(std::isfinite(value));
}

TEST(KeyPools, ReadAnyNumberAsSomeMode) {
  std::vector<float> dense(static_cast<std::size_t>(16 + kPools.floats()));
  for (const auto& [value, mode] : {std::pair(0.0F, HeadMode::full),
                                    {1.0F, HeadMode::stream},
                                    {2.0F, HeadMode::blocks},
                                    {-7.5F, HeadMode::full},
                                    {1e30F, HeadMode::full}}) {
    dense[17] = value;
    EXPECT_EQ(kPools.mode(dense.data(), 1), mode);
  }
}

}  // namespace
}  // namespace elastane
