// Tests of elastane/core/math/attention-inl.h: attention over a window, of every instruction set, against its twin.
#include <gtest/gtest.h>

#include <cmath>

#include "elastane/core/math/reference.h"
#include "tests/core/floats.h"
#include "tests/core/math/kernels_of.h"

namespace elastane {
namespace {

struct Window {
  Window(Random& random, const AttentionShape& shape_, int filled_)
      : shape(shape_),
        filled(filled_),
        q(padded(shape.heads * shape.size)),
        keys(shape.kv_heads * shape.size * shape.slots),
        values(shape.window * shape.kv_stride + kLane),
        scores(shape.slots),
        y(padded(shape.heads * shape.size) + kLane) {
    q.fill(random, 2);
    // slots that were never written hold what must not be seen
    for (int i = 0; i < keys.size(); ++i) {
      keys[i] = i % shape.slots < filled ? static_cast<float>(random.uniform(-2, 2)) : kNan;
    }
    for (int i = 0; i < shape.window * shape.kv_stride; ++i) {
      values[i] = i / shape.kv_stride < filled ? static_cast<float>(random.uniform(-2, 2)) : kNan;
    }
  }
  AttentionShape shape;
  int filled;
  Floats q, keys, values, scores, y;
};

AttentionShape shape_of(int heads, int kv_heads, int size, int window) {
  return {heads, kv_heads, size, window, padded(window), padded(kv_heads * size)};
}

TEST_P(KernelsOf, AttendEqualsItsTwinForAnyHeadsAndWindows) {
  for (const auto& [heads, kv_heads] : {std::pair(1, 1), {2, 1}, {4, 2}, {3, 3}, {6, 2}}) {
    for (const int size : {1, 2, 3, 5, 8, 15, 16, 17, 33}) {
      for (const int window : {1, 2, 7, 16, 17, 40}) {
        for (const int filled : {1, window / 2, window - 1, window}) {
          if (filled < 1) continue;
          Window w(random, shape_of(heads, kv_heads, size, window), filled);
          const int outputs = heads * size;
          Floats expected(outputs), weights(w.shape.slots);
          k->attend(w.shape, w.q, w.keys, w.values, filled, w.scores, w.y);
          reference::attend(w.shape, w.q, w.keys, w.values, filled, weights, expected);
          for (int i = 0; i < outputs; ++i) {
            // weights sum to one and values lie within 2; a score is rounded in sums of up to 4·size/√size
            ASSERT_NEAR(w.y[i], expected[i], kTolerance * (2 + std::sqrt(size)))
                << heads << "/" << kv_heads << " heads of " << size << ", " << filled << " of " << window;
          }
          ASSERT_TRUE(w.scores.guarded() && w.y.guarded());
        }
      }
    }
  }
}

TEST_P(KernelsOf, AttendPicksTheOnlyLargeScore) {
  Window w(random, shape_of(1, 1, 4, 20), 20);
  for (int i = 0; i < w.keys.size(); ++i) w.keys[i] = i % w.shape.slots == 11 ? 1e4F : -1e4F;
  for (int i = 0; i < 4; ++i) w.q[i] = 1.0F;
  k->attend(w.shape, w.q, w.keys, w.values, 20, w.scores, w.y);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(w.y[i], w.values[11 * w.shape.kv_stride + i]);
}

TEST_P(KernelsOf, AttendOverOneStepIsThatStep) {
  Window w(random, shape_of(2, 1, 5, 7), 1);
  k->attend(w.shape, w.q, w.keys, w.values, 1, w.scores, w.y);
  for (int head = 0; head < 2; ++head) {
    for (int i = 0; i < 5; ++i) EXPECT_EQ(w.y[head * 5 + i], w.values[i]);
  }
}

}  // namespace
}  // namespace elastane
