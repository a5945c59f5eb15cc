#include "bench/earlier_attention.h"

#include <cmath>

// the targets of the engine's kernels
#if defined(__x86_64__)
#define HWY_BASELINE_TARGETS HWY_SSE4
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SCALAR | HWY_EMU128)
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/earlier_attention.cpp"
#include "hwy/foreach_target.h"
// foreach_target must come first
#include "elastane/core/math/functions-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace elastane::bench {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using elastane::HWY_NAMESPACE::D;
using elastane::HWY_NAMESPACE::exponential;
using elastane::HWY_NAMESPACE::kN;
using elastane::HWY_NAMESPACE::V;

// the lanes of the vector at slot i that are in use
HWY_INLINE auto in_use(int filled, int i) { return hn::FirstN(D(), static_cast<std::size_t>(HWY_MAX(filled - i, 0))); }

// scores ← softmax(q·k/√size) over the slots in use; the rest of the padded row is zero
HWY_INLINE void softmax_scores(const EarlierShape& shape, const float* q, const float* keys, int filled,
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
    if (filled - i < kN) sum = hn::IfThenElse(in_use(filled, i), sum, hn::Set(d, -1e30F));
    largest = hn::Max(largest, sum);
    hn::Store(sum, d, scores + i);
  }
  const V peak = hn::Set(d, hn::GetLane(hn::MaxOfLanes(d, largest)));
  V total = hn::Zero(d);
  for (int i = 0; i < used; i += kN) {
    V e = exponential(hn::Sub(hn::Load(d, scores + i), peak));
    if (filled - i < kN) e = hn::IfThenElseZero(in_use(filled, i), e);
    total = hn::Add(total, e);
    hn::Store(e, d, scores + i);
  }
  const V inverse = hn::Set(d, 1.0F / hn::GetLane(hn::SumOfLanes(d, total)));
  for (int i = 0; i < used; i += kN) hn::Store(hn::Mul(hn::Load(d, scores + i), inverse), d, scores + i);
}

void attend(const EarlierShape& shape, const float* q, const float* keys, const float* values, int filled,
            float* scores, float* y) {
  const D d;
  const int group = shape.heads / shape.kv_heads;
  for (int head = 0; head < shape.heads; ++head) {
    const int kv = head / group * shape.size;  // first key and value channel of this head
    softmax_scores(shape, q + head * shape.size, keys + kv * shape.slots, filled, scores);
    for (int i = 0; i < shape.size; i += kN) {
      V sum = hn::Zero(d);
      for (int t = 0; t < filled; ++t) {
        sum = hn::MulAdd(hn::Set(d, scores[t]), hn::LoadU(d, values + t * shape.kv_stride + kv + i), sum);
      }
      hn::StoreU(sum, d, y + head * shape.size + i);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace elastane::bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace elastane::bench {
HWY_EXPORT(attend);

void earlier_attend(const EarlierShape& shape, const float* q, const float* keys, const float* values, int filled,
                    float* scores, float* y) {
  HWY_DYNAMIC_DISPATCH(attend)(shape, q, keys, values, filled, scores, y);
}

}  // namespace elastane::bench
#endif
