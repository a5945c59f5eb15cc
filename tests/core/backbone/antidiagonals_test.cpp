// Tests of elastane/core/backbone/antidiagonals.h and .cpp: blocks chosen by scores along antidiagonals (law E8).
#include "elastane/core/backbone/antidiagonals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/core/floats.h"
#include "tests/core/models.h"

namespace elastane {
namespace {

// one head over `blocks` blocks of random keys, some of them large, and the last block of queries
struct Prompt {
  explicit Prompt(int blocks, std::uint64_t seed)
      : shape{.heads = 1, .kv_heads = 1, .size = 16, .window = 64 * blocks, .block = 64, .turning = blocks + 1},
        count(blocks),
        panels(shape.panels() * shape.panel_words()),
        q(64 * 16),
        scores(4 * padded(4 * (blocks + 1))),
        work(attend_rows_floats(shape)),
        candidates(static_cast<std::size_t>(blocks + 1)),
        list(static_cast<std::size_t>(blocks + 1)) {
    Random random(seed);
    panels.fill(random, 1);
    q.fill(random, 3);
    for (int b = 0; b < blocks; b += 5) {
      for (int i = 0; i < 64 * 16; ++i) panels[static_cast<int>(shape.keys_at(b, 0)) + i] *= 4;
    }
    const KeyValueWindow window{.shape = shape};
    position = static_cast<std::uint64_t>(64 * (blocks - 1));
    EXPECT_EQ(list_blocks(window, HeadMode::full, position, list.data()), blocks);
  }
  BlockChoice choose(double threshold) {
    const ChoiceScratch scratch{{scores, 4, scores.size() / 4}, candidates.data(), work};
    return choose_blocks(*kernels(test_isa()).value(), shape, panels, 0, {q, 64, 16}, threshold, scratch, list.data(),
                         count);
  }
  // the estimated weight of every block, in double
  std::vector<double> weights() const {
    std::vector<double> all(static_cast<std::size_t>(count));
    for (int i = 0; i < 4; ++i) {
      std::vector<double> row;
      for (int j = 0; j < 4 * (count - 1) + i + 1; ++j) {
        double sum = 0;
        for (int s = 0; s < 16; ++s) {
          for (int c = 0; c < 16; ++c) {
            sum += double{q[(16 * i + 15 - s) * 16 + c]} *
                   panels[static_cast<int>(shape.keys_at(j / 4, 0)) + c * 64 + j % 4 * 16 + s];
          }
        }
        row.push_back(std::exp(sum / (4 * 16)));
      }
      double total = 0;
      for (const double e : row) total += e;
      for (std::size_t j = 0; j < row.size(); ++j) all[j / 4] += row[j] / total;
    }
    return all;
  }

  AttentionShape shape;
  int count;
  Floats panels, q, scores, work;
  std::vector<Candidate> candidates;
  std::vector<KeyBlock> list;
  std::uint64_t position;
};

TEST(Antidiagonals, KeepEverythingAtAThresholdOfOne) {
  Prompt prompt(20, 1);
  const BlockChoice choice = prompt.choose(1.0);
  EXPECT_EQ(choice.count, 20);
  EXPECT_EQ(choice.share, 1);
}

TEST(Antidiagonals, KeepTheFewestBlocksThatHoldTheShareWithTheFirstAndTheDiagonal) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    for (const double threshold : {0.3, 0.6, 0.9, 0.99}) {
      Prompt prompt(24, seed);
      const std::vector<double> weights = prompt.weights();
      const BlockChoice choice = prompt.choose(threshold);
      ASSERT_GE(choice.count, 2);
      EXPECT_GE(choice.share, threshold - 1e-6);
      std::vector<int> chosen;
      for (int b = 0; b < choice.count; ++b) {
        chosen.push_back((prompt.list[static_cast<std::size_t>(b)].from + static_cast<int>(prompt.position)) / 64);
      }
      EXPECT_TRUE(std::ranges::is_sorted(chosen));
      EXPECT_EQ(chosen.front(), 0);
      EXPECT_EQ(chosen.back(), 23);
      // without the lightest of those that it was free to leave, the share is not reached
      double kept = 0, lightest = 1e9;
      for (const int b : chosen) {
        kept += weights[static_cast<std::size_t>(b)];
        if (b != 0 && b != 23) lightest = std::min(lightest, weights[static_cast<std::size_t>(b)]);
      }
      EXPECT_NEAR(kept / 4, choice.share, 1e-4);
      EXPECT_LT((kept - (choice.count > 2 ? lightest : kept)) / 4, threshold + 1e-4);
    }
  }
}

TEST(Antidiagonals, DoNotChooseAmongTwoBlocks) {
  Prompt prompt(2, 1);
  EXPECT_EQ(prompt.choose(0.1).count, 2);
}

}  // namespace
}  // namespace elastane
