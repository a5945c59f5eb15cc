// bench/earlier_attention.cpp: the kernel before panels is still right, so that its time means something.
#include "bench/earlier_attention.h"

#include <gtest/gtest.h>

#include <cmath>

#include "elastane/core/base/buffer.h"
#include "elastane/core/base/random.h"
#include "elastane/core/base/view.h"

namespace elastane::bench {
namespace {

TEST(EarlierAttention, EqualsSoftmaxInDouble) {
  const int filled = 37;
  const EarlierShape shape{.heads = 4, .kv_heads = 2, .size = 16, .slots = padded(filled), .kv_stride = 32};
  Buffer room(sizeof(float) * static_cast<std::size_t>(33 * shape.slots));
  auto *keys = reinterpret_cast<float*>(room.data()), *scores = keys + 32 * shape.slots;
  Random random(std::uint64_t{1});
  std::vector<float> q(64), values(static_cast<std::size_t>(filled) * 32), y(64 + kLane);
  for (float& v : q) v = static_cast<float>(random.normal());
  for (float& v : values) v = static_cast<float>(random.normal());
  for (int i = 0; i < 32 * shape.slots; ++i) keys[i] = static_cast<float>(random.normal());
  earlier_attend(shape, q.data(), keys, values.data(), filled, scores, y.data());
  for (int head = 0; head < 4; ++head) {
    const int kv = head / 2 * 16;
    double sum = 0, expected[16] = {};
    for (int t = 0; t < filled; ++t) {
      double score = 0;
      for (int c = 0; c < 16; ++c) score += double{q[head * 16 + c]} * keys[(kv + c) * shape.slots + t];
      const double weight = std::exp(score / 4);
      sum += weight;
      for (int c = 0; c < 16; ++c) expected[c] += weight * values[t * 32 + kv + c];
    }
    for (int c = 0; c < 16; ++c) EXPECT_NEAR(y[head * 16 + c], expected[c] / sum, 1e-5);
  }
}

}  // namespace
}  // namespace elastane::bench
