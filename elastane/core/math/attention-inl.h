// Attention of one query over a window.   Included once for each instruction set; see kernels.cpp.
#if defined(ELASTANE_ATTENTION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ELASTANE_ATTENTION_INL_H_
#undef ELASTANE_ATTENTION_INL_H_
#else
#define ELASTANE_ATTENTION_INL_H_
#endif

#include <cmath>

#include "elastane/core/math/functions-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elastane {
namespace HWY_NAMESPACE {

// scores ← softmax(q·k/√size) over the slots in use; the rest of the padded row is zero
HWY_INLINE void softmax_scores(const AttentionShape& shape, const float* q, const float* keys, int filled,
                               float* HWY_RESTRICT scores) {
  const D d;
  const int used = padded(filled);
  const V scale = hn::Set(d, 1.0F / std::sqrt(static_cast<float>(shape.size)));
  V largest = hn::Set(d, -1e30F);
  for (int i = 0; i < used; i += kN) {
    V sum = hn::Zero(d);
    for (int k = 0; k < shape.size; ++k) {
      sum = hn::MulAdd(hn::Set(d, q[k]), hn::Load(d, keys + k * shape.slots + i), sum);
    }
    sum = hn::Mul(sum, scale);
    if (filled - i < kN) {
      sum = hn::IfThenElse(hn::FirstN(d, static_cast<std::size_t>(HWY_MAX(filled - i, 0))), sum, hn::Set(d, -1e30F));
    }
    largest = hn::Max(largest, sum);
    hn::Store(sum, d, scores + i);
  }
  const V peak = hn::Set(d, hn::GetLane(hn::MaxOfLanes(d, largest)));
  V total = hn::Zero(d);
  for (int i = 0; i < used; i += kN) {
    V e = exponential(hn::Sub(hn::Load(d, scores + i), peak));
    if (filled - i < kN) e = hn::IfThenElseZero(hn::FirstN(d, static_cast<std::size_t>(HWY_MAX(filled - i, 0))), e);
    total = hn::Add(total, e);
    hn::Store(e, d, scores + i);
  }
  const V inverse = hn::Set(d, 1.0F / hn::GetLane(hn::SumOfLanes(d, total)));
  for (int i = 0; i < used; i += kN) hn::Store(hn::Mul(hn::Load(d, scores + i), inverse), d, scores + i);
}

void attend(const AttentionShape& shape, const float* q, const float* keys, const float* values, int filled,
            float* scores, float* y) {
  const D d;
  const int group = shape.heads / shape.kv_heads;
  for (int head = 0; head < shape.heads; ++head) {
    const int kv = head / group * shape.size;  // first key and value channel of this head
    softmax_scores(shape, q + head * shape.size, keys + kv * shape.slots, filled, scores);
    // y = Σ p_t v_t; heads need not be vector-aligned, so loads are unaligned and the last vector is cut
    for (int i = 0; i < shape.size; i += kN) {
      const int left = shape.size - i;
      V sum = hn::Zero(d);
      for (int t = 0; t < filled; ++t) {
        const V v = hn::LoadU(d, values + t * shape.kv_stride + kv + i);
        sum = hn::MulAdd(hn::Set(d, scores[t]), v, sum);
      }
      if (left >= kN) {
        hn::StoreU(sum, d, y + head * shape.size + i);
      } else {
        hn::BlendedStore(sum, hn::FirstN(d, static_cast<std::size_t>(left)), d, y + head * shape.size + i);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace elastane
HWY_AFTER_NAMESPACE();
#endif
