// Cheap scores that choose blocks of keys.   Included once for each instruction set; see kernels.cpp.
#if defined(ELASTANE_ATTENTION_SCORING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ELASTANE_ATTENTION_SCORING_INL_H_
#undef ELASTANE_ATTENTION_SCORING_INL_H_
#else
#define ELASTANE_ATTENTION_SCORING_INL_H_
#endif

#include "elastane/core/math/attention-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elastane {
namespace HWY_NAMESPACE {

float bound_score(const float* q, const float* low, const float* high, int n) {
  const D d;
  V bound = hn::Zero(d), size = hn::Zero(d);
  for (int i = 0; i < n; i += kN) {
    const V x = hn::Load(d, q + i), a = hn::Mul(x, hn::Load(d, low + i)), b = hn::Mul(x, hn::Load(d, high + i));
    bound = hn::Add(bound, hn::Max(a, b));
    size = hn::Add(size, hn::Max(hn::Abs(a), hn::Abs(b)));
  }
  // more than all roundings, here and in a score, can add up to
  const float margin = static_cast<float>(n + 8) * 1.2e-7F * hn::GetLane(hn::SumOfLanes(d, size));
  return hn::GetLane(hn::SumOfLanes(d, bound)) + margin;
}

// query groups as [channel][row], rows of a group in reverse: lane s of a group meets key s of a key group
HWY_INLINE void turn_back(const AttentionShape& shape, int head, const ConstRows& q, float* turned) {
  const float scale = 1 / (std::sqrt(static_cast<float>(shape.size)) * kStride);
  for (int row = 0; row < shape.block; ++row) {
    const int lane = row / kStride * kStride + kStride - 1 - row % kStride;
    const float* from = q[row < q.count ? row : 0] + head * shape.size;
    for (int c = 0; c < shape.size; ++c) {
      turned[c * shape.block + lane] = row < q.count ? from[c] * scale : 0.0F;
    }
  }
}

// kKeys key groups, from key `at` on, against all query groups
template <int kQueries, int kKeys>
HWY_INLINE void group_scores(const AttentionShape& shape, const float* turned, const float* keys, int at, int stride,
                             float* out) {
  const D d;
  V sum[kQueries][kKeys];
  for (auto& row : sum) {
    for (V& v : row) v = hn::Zero(d);
  }
  for (int c = 0; c < shape.size; ++c) {
    const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(c) * shape.block;
    for (int lane = 0; lane < kStride; lane += kN) {
      V key[kKeys];
      for (int j = 0; j < kKeys; ++j) key[j] = hn::Load(d, keys + first + at + j * kStride + lane);
      for (int i = 0; i < kQueries; ++i) {
        const V q = hn::Load(d, turned + first + i * kStride + lane);
        for (int j = 0; j < kKeys; ++j) sum[i][j] = hn::MulAdd(q, key[j], sum[i][j]);
      }
    }
  }
  for (int i = 0; i < kQueries; ++i) {
    for (int j = 0; j < kKeys; ++j) out[i * stride + at / kStride + j] = hn::GetLane(hn::SumOfLanes(d, sum[i][j]));
  }
}

template <int kGroups>
HWY_INLINE void panel_scores(const AttentionShape& shape, const float* turned, const float* keys, int stride,
                             float* out) {
  constexpr int kKeys = HWY_TARGET == HWY_AVX3 ? kGroups : HWY_MIN(kGroups, 2);
  for (int at = 0; at < shape.block; at += kKeys * kStride) {
    group_scores<kGroups, kKeys>(shape, turned, keys, at, stride, out);
  }
}

void stride_scores(const AttentionShape& shape, const float* panels, const KeyBlock* list, int count, int head,
                   ConstRows q, float* work, Rows out) {
  turn_back(shape, head, q, work);
  float* room = work + shape.size * kMostBlock;
  for (int b = 0; b < count; ++b) {
    const Panel panel = panel_of(shape, panels, list[b].panel, head / shape.group(), room);
    float* to = out.data + b * (shape.block / kStride);
    switch (shape.block) {
      case 64: panel_scores<4>(shape, work, panel.keys, out.stride, to); break;
      case 32: panel_scores<2>(shape, work, panel.keys, out.stride, to); break;
      default: panel_scores<1>(shape, work, panel.keys, out.stride, to); break;
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace elastane
HWY_AFTER_NAMESPACE();
#endif
