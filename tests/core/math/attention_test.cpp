// Tests of elastane/core/math/attention-inl.h: attention of one query and of rows of queries over lists of panels, of
// every instruction set, against its twin. Laws E3 to E7 and E13 of elastic attention as far as kernels go.
#include <gtest/gtest.h>

#include <cmath>

#include "elastane/core/backbone/head_modes.h"
#include "elastane/core/math/reference.h"
#include "tests/core/floats.h"
#include "tests/core/math/kernels_of.h"

namespace elastane {
namespace {

// a window after `steps` random steps, with queries for the last `rows` of them
struct Filled {
  Filled(Random& random, const AttentionShape& shape, int steps, int rows_, float far = 0)
      : window{.shape = shape},
        first(static_cast<std::uint64_t>(steps - rows_)),
        rows(rows_),
        panels(window.floats()),
        queries(rows * padded(shape.heads * shape.size)),
        work(std::max(attend_scratch_floats(shape), attend_rows_floats(shape))),
        list(static_cast<std::size_t>(most_blocks(shape))) {
    // what was never written must not be seen
    for (int i = 0; i < panels.size(); ++i) panels[i] = far;
    const int kv = shape.kv_heads * shape.size;
    std::vector<float> key(static_cast<std::size_t>(kv)), value(key);
    for (int t = 0; t < steps; ++t) {
      for (float& x : key) x = static_cast<float>(random.uniform(-2, 2));
      for (float& x : value) x = static_cast<float>(random.uniform(-2, 2));
      window.write(key.data(), value.data(), static_cast<std::uint64_t>(t), panels);
    }
    queries.fill(random, 2);
  }
  ConstRows q() const { return {queries, rows, padded(window.shape.heads * window.shape.size)}; }
  int outputs() const { return rows * q().stride; }

  void by_rows(const Kernels& k, HeadMode mode, Floats& y) {
    const int count = list_blocks(window, mode, first, list.data());
    for (int head = 0; head < window.shape.heads; ++head) {
      k.attend_rows(window.shape, panels, list.data(), count, head, q(), work, {y, rows, q().stride});
    }
  }
  void one_by_one(const Kernels& k, HeadMode mode, Floats& y) {
    for (int r = 0; r < rows; ++r) {
      const int count = list_blocks(window, mode, first + static_cast<unsigned>(r), list.data());
      k.attend_start(window.shape, q()[r], 0, window.shape.heads, work);
      k.attend_blocks(window.shape, panels, list.data(), count, 0, window.shape.heads, work);
      k.attend_finish(window.shape, 0, window.shape.heads, work, y + r * q().stride);
    }
  }
  void by_twin(HeadMode mode, Floats& y) {
    const int count = list_blocks(window, mode, first, list.data());
    for (int head = 0; head < window.shape.heads; ++head) {
      reference::attend_rows(window.shape, panels, list.data(), count, head, q(), {y, rows, q().stride});
    }
  }

  KeyValueWindow window;
  std::uint64_t first;
  int rows;
  Floats panels, queries, work;
  std::vector<KeyBlock> list;
};

AttentionShape shape_of(int heads, int kv_heads, int size, int window, int block) {
  return {.heads = heads,
          .kv_heads = kv_heads,
          .size = size,
          .window = window,
          .block = block,
          .turning = (window + 2 * block - 2) / block};
}

AttentionShape sparse(int heads, int kv_heads, int size, int blocks, int block) {
  AttentionShape shape = shape_of(heads, kv_heads, size, blocks * block, block);
  shape.sink = 1;
  shape.local = 2;
  return shape;
}

const std::vector<std::pair<int, int>> kHeads = {{1, 1}, {2, 1}, {4, 2}, {5, 5}, {6, 2}, {8, 1}};

TEST_P(KernelsOf, AttentionEqualsItsTwinForAnyHeadsAndWindows) {
  for (const auto& [heads, kv_heads] : kHeads) {
    for (const int size : {1, 2, 3, 8, 15, 16, 17, 33, 64}) {
      for (const int window : {1, 5, 16, 40, 64}) {
        for (const int block : {16, 64}) {
          for (const int steps : {1, 3, 50, 129}) {
            const int rows = std::min(steps, (steps - 1) % block + 1);
            Filled w(random, shape_of(heads, kv_heads, size, window, block), steps, rows, 7);
            Floats found(w.outputs()), expected(w.outputs());
            w.by_rows(*k, HeadMode::full, found);
            w.by_twin(HeadMode::full, expected);
            for (int i = 0; i < w.outputs(); ++i) {
              // weights sum to one and values lie within 2; a score is rounded in sums of up to 4·size/√size
              ASSERT_NEAR(found[i], expected[i], kTolerance * (2 + std::sqrt(size)))
                  << heads << "/" << kv_heads << " heads of " << size << ", window " << window << " in " << block
                  << ", step " << steps;
            }
            ASSERT_TRUE(found.guarded() && w.work.guarded());
          }
        }
      }
    }
  }
}

TEST_P(KernelsOf, EveryModeEqualsMaskedAttentionInDouble) {  // E3
  for (const int steps : {40, 64, 200, 512, 700}) {
    for (const HeadMode mode : {HeadMode::full, HeadMode::stream}) {
      Filled w(random, sparse(4, 2, 64, 4, 64), steps, (steps - 1) % 64 + 1);
      Floats found(w.outputs()), expected(w.outputs());
      w.by_rows(*k, mode, found);
      w.by_twin(mode, expected);
      for (int i = 0; i < w.outputs(); ++i) ASSERT_NEAR(found[i], expected[i], 4e-6) << steps;
    }
  }
}

TEST_P(KernelsOf, AQueryOnItsOwnEqualsRowsOfQueriesBitForBit) {  // E4
  for (const auto& [heads, kv_heads] : kHeads) {
    for (const int size : {2, 16, 33, 64, 128}) {
      for (const int block : {16, 32, 64}) {
        for (const bool bfloat16 : {false, true}) {
          for (const HeadMode mode : {HeadMode::full, HeadMode::stream}) {
            AttentionShape shape = sparse(heads, kv_heads, size, 4, block);
            shape.bfloat16 = bfloat16;
            const int steps = 6 * block + block / 2 + 3;
            Filled w(random, shape, steps, block / 2 + 3, 3);
            Floats rows(w.outputs()), ones(w.outputs());
            w.by_rows(*k, mode, rows);
            w.one_by_one(*k, mode, ones);
            ASSERT_TRUE(same_bits(rows, ones, w.outputs()))
                << heads << "/" << kv_heads << " heads of " << size << ", block " << block;
          }
        }
      }
    }
  }
}

TEST_P(KernelsOf, AnyNumberOfRowsGivesTheSameBits) {  // E4, E5: how rows are divided does not matter
  Filled all(random, shape_of(2, 1, 16, 300, 64), 256, 64);
  Floats together(all.outputs()), apart(all.outputs());
  all.by_rows(*k, HeadMode::full, together);
  for (const int part : {1, 7, 16, 33}) {
    for (int first = 0; first < 64; first += part) {
      const int rows = std::min(part, 64 - first);
      const int count =
          list_blocks(all.window, HeadMode::full, all.first + static_cast<unsigned>(first), all.list.data());
      for (const int head : {1, 0}) {
        k->attend_rows(all.window.shape, all.panels, all.list.data(), count, head, all.q().slice(first, rows), all.work,
                       {apart + first * all.q().stride, rows, all.q().stride});
      }
    }
    ASSERT_TRUE(same_bits(together, apart, all.outputs())) << part;
  }
}

TEST_P(KernelsOf, AStreamingHeadThatSeesEverythingEqualsAFullOne) {  // E2
  for (const int steps : {1, 30, 64, 150, 192}) {
    Filled w(random, sparse(2, 1, 16, 8, 64), steps, (steps - 1) % 64 + 1);
    Floats full(w.outputs()), stream(w.outputs());
    w.by_rows(*k, HeadMode::full, full);
    w.by_rows(*k, HeadMode::stream, stream);
    EXPECT_TRUE(same_bits(full, stream, w.outputs())) << steps;
  }
}

TEST_P(KernelsOf, GroupedHeadsEqualRepeatedKeyHeads) {  // E6
  Filled grouped(random, shape_of(4, 1, 16, 100, 64), 100, 1), repeated(random, shape_of(4, 4, 16, 100, 64), 100, 1);
  for (int panel = 0; panel < grouped.window.shape.panels(); ++panel) {
    const AttentionShape &from = grouped.window.shape, &to = repeated.window.shape;
    for (int head = 0; head < 4; ++head) {
      std::copy_n(grouped.panels + from.keys_at(panel, 0), 16 * 64, repeated.panels + to.keys_at(panel, head));
      std::copy_n(grouped.panels + from.values_at(panel, 0), 16 * 64, repeated.panels + to.values_at(panel, head));
    }
  }
  std::copy_n(grouped.queries.data(), grouped.queries.size(), repeated.queries.data());
  Floats one(grouped.outputs()), other(grouped.outputs());
  grouped.one_by_one(*k, HeadMode::full, one);
  repeated.one_by_one(*k, HeadMode::full, other);
  EXPECT_TRUE(same_bits(one, other, one.size()));
}

TEST_P(KernelsOf, AHiddenKeyLeavesNoTrace) {  // E7
  for (const HeadMode mode : {HeadMode::full, HeadMode::stream}) {
    Random first(3), second(3);
    Filled clean(first, sparse(2, 2, 16, 3, 64), 150, 20, 0), dirty(second, sparse(2, 2, 16, 3, 64), 150, 20, 1e15F);
    Floats one(clean.outputs()), other(clean.outputs());
    clean.by_rows(*k, mode, one);
    dirty.by_rows(*k, mode, other);
    EXPECT_TRUE(same_bits(one, other, clean.outputs()));
    dirty.one_by_one(*k, mode, other);
    EXPECT_TRUE(same_bits(one, other, clean.outputs()));
  }
}

TEST_P(KernelsOf, TheOnlyLargeScoreIsPickedExactly) {  // E7: two to the power of zero is one
  Filled w(random, shape_of(1, 1, 4, 20, 16), 20, 1);
  const AttentionShape& shape = w.window.shape;
  for (int t = 0; t < 20; ++t) {
    for (int c = 0; c < 4; ++c)
      w.panels[static_cast<int>(shape.keys_at(t / 16, 0)) + c * 16 + t % 16] = t == 11 ? 1e4F : -1e4F;
  }
  for (int c = 0; c < 4; ++c) w.queries[c] = 1;
  Floats y(w.outputs());
  w.one_by_one(*k, HeadMode::full, y);
  for (int c = 0; c < 4; ++c) EXPECT_EQ(y[c], w.panels[static_cast<int>(shape.values_at(0, 0)) + 11 * 16 + c]);
}

TEST_P(KernelsOf, NoScoreOfABlockIsAboveItsBound) {  // E13
  constexpr int kCases = 10000;
  for (int i = 0; i < kCases; ++i) {
    const int size = 1 + static_cast<int>(random.uniform(0, 80)), n = padded(size), keys = 8;
    Floats q(n), low(n), high(n), key(n * keys);
    const double spread = std::exp(random.uniform(-4, 4));
    for (int c = 0; c < size; ++c) {
      q[c] = static_cast<float>(random.normal());
      low[c] = 1e30F, high[c] = -1e30F;
      for (int j = 0; j < keys; ++j) {
        const auto x = static_cast<float>(random.normal() * spread + 1);
        key[j * n + c] = x;
        low[c] = std::min(low[c], x), high[c] = std::max(high[c], x);
      }
    }
    const float bound = k->bound_score(q, low, high, n);
    ASSERT_NEAR(bound, reference::bound_score(q, low, high, n), 1e-3 * (1 + std::fabs(bound)));
    for (int j = 0; j < keys; ++j) {
      float score = 0;
      double exact = 0;
      for (int c = 0; c < size; ++c) {
        score += q[c] * key[j * n + c];
        exact += double{q[c]} * key[j * n + c];
      }
      ASSERT_GE(bound, score);
      ASSERT_GE(bound, exact);
    }
  }
}

TEST_P(KernelsOf, AntidiagonalScoresEqualTheirTwin) {
  for (const int block : {16, 32, 64}) {
    for (const int size : {3, 16, 64}) {
      Filled w(random, shape_of(2, 1, size, 4 * block, block), 4 * block, block);
      const int count = list_blocks(w.window, HeadMode::full, w.first, w.list.data());
      const int groups = block / kStride, stride = padded(count * groups);
      Floats found(groups * stride), expected(groups * stride);
      for (const int head : {0, 1}) {
        k->stride_scores(w.window.shape, w.panels, w.list.data(), count, head, w.q(), w.work, {found, groups, stride});
        reference::stride_scores(w.window.shape, w.panels, w.list.data(), count, head, w.q(),
                                 {expected, groups, stride});
        for (int i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-5) << block << " " << size;
      }
      ASSERT_TRUE(found.guarded() && w.work.guarded());
    }
  }
}

TEST_P(KernelsOf, AnAntidiagonalMeetsEveryPairOfResiduesOnce) {  // E8
  // with one key row and one query row set, every pair of them is seen by exactly one score of its groups
  const AttentionShape shape = shape_of(1, 1, 1, 64, 64);
  Filled w(random, shape, 64, 64);
  for (int query = 0; query < 64; ++query) {
    for (int key = 0; key < 64; ++key) {
      for (int i = 0; i < 64; ++i) w.queries[i * w.q().stride] = i == query ? 16.0F : 0.0F;
      for (int j = 0; j < 64; ++j) w.panels[j] = j == key ? 1.0F : 0.0F;
      Floats found(4 * 16);
      const KeyBlock block{.panel = 0, .from = 0, .reach = kAnyReach};
      k->stride_scores(shape, w.panels, &block, 1, 0, w.q(), w.work, {found, 4, 16});
      const bool meets = query % 16 + key % 16 == 15;
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
          ASSERT_EQ(found[i * 16 + j], meets && i == query / 16 && j == key / 16 ? 1.0F : 0.0F);
        }
      }
    }
  }
}

}  // namespace
}  // namespace elastane
