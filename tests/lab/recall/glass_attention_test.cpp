// lab/recall/glass_attention.cpp: block bounds hold, and streaming queries see sink and window.
#include "lab/recall/glass_attention.h"

#include <gtest/gtest.h>

#include <random>

namespace elastane::recall {
namespace {

std::vector<double> random_rows(int steps, int width, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<double> rows(static_cast<std::size_t>(steps) * static_cast<std::size_t>(width));
  for (double& v : rows) v = 2 * normal(engine);
  return rows;
}

TEST(GlassAttention, ReadsSinkAndWindowOfAStreamingQuery) {
  const Look look{.is_full = [](const AskedHead& asked) { return asked.head == 0; }};
  GlassAttention attention({.heads = 2, .rotary = false}, 8, look);
  attention.attend(random_rows(128, 8, 1), random_rows(128, 8, 2), random_rows(128, 8, 3));
  const Reading& r = attention.reading();
  for (int b = 0; b < 8; ++b) {
    EXPECT_EQ(r.read[r.at(0, 127, b)], 1);
    EXPECT_EQ(r.read[r.at(1, 127, b)], b == 0 || b >= 6 ? 1 : 0);
    EXPECT_EQ(r.read[r.at(1, 20, b)], b <= 1 ? 1 : 0);
  }
}

TEST(GlassAttention, ChoosesByTheExactScoreTheBlockWithTheLargestWeight) {
  // every query's largest unseen key decides, so reading that block brings most of what is missing
  const Look exact{.is_full = [](const AskedHead&) { return false; }, .rule = BlockRule::exact, .extra = 1};
  const Look dense{};
  GlassAttention some({.heads = 1, .rotary = false}, 8, exact), all({.heads = 1, .rotary = false}, 8, dense);
  const auto q = random_rows(128, 8, 1), k = random_rows(128, 8, 2), v = random_rows(128, 8, 3);
  some.attend(q, k, v), all.attend(q, k, v);
  for (int t = 100; t < 128; ++t) {
    int chosen = -1, chosen_count = 0;
    for (int b = 1; b <= t / 16 - 2; ++b) {
      if (some.reading().read[some.reading().at(0, t, b)] != 0) chosen = b, ++chosen_count;
    }
    ASSERT_EQ(chosen_count, 1);
    EXPECT_GT(all.reading().mass[all.reading().at(0, t, chosen)], 0);
  }
}

}  // namespace
}  // namespace elastane::recall
