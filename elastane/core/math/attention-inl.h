// Attention of one query over a list of panels.   Included once for each instruction set; see kernels.cpp.
//
// What fixes every bit, here and in attention_rows-inl.h: panels in the order of the list; each score one chain over the
// channels; the sum of a panel in kN chains, key j in chain j mod kN, added up as a tree; each value one chain over the
// keys; 2⁰ is exactly 1, and a hidden key has the weight 0.
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

inline constexpr float kNoPeak = -1e30F;   // the maximum before the first key
inline constexpr float kHidden = -3e38F;   // the score of a key that is not seen
inline constexpr float kVisible = -2e38F;  // scores that are seen lie above

// 2ᵗ for t ≤ 0, held at 2⁻¹²⁶ below, exactly 1 at 0
HWY_INLINE V power_of_two(V t) {
  const auto [power, fraction] = fitted_power(t);
  return hn::MulAdd(power, fraction, power);
}

// log2(e)/√size, which queries are multiplied by
HWY_INLINE float query_scale(int size) { return 1.44269504F / std::sqrt(static_cast<float>(size)); }

// the keys of a panel that some of `rows` rows see
struct Seen {
  int first, last;
};
HWY_INLINE Seen seen_of(const KeyBlock& b, int rows, int block) {
  return {HWY_MAX(0, 1 - b.from - b.reach), HWY_MIN(block, rows - b.from)};
}

// one key head's panel as float32: itself, or converted to `room`
struct Panel {
  const float *keys, *values;
};
HWY_INLINE void widen(const float* words, float* low, float* high) {
  const D d;
  const hn::RebindToUnsigned<D> bits;
  const auto both = hn::BitCast(bits, hn::Load(d, words));
  hn::Store(hn::BitCast(d, hn::ShiftLeft<16>(both)), d, low);
  if (high != nullptr) hn::Store(hn::BitCast(d, hn::And(both, hn::Set(bits, 0xFFFF0000U))), d, high);
}
HWY_INLINE Panel panel_of(const AttentionShape& s, const float* panels, int panel, int head, float* room) {
  const float *keys = panels + s.keys_at(panel, head), *values = panels + s.values_at(panel, head);
  if (!s.bfloat16) return {keys, values};
  const int n = padded(s.size), words = s.value_words();
  float *k = room, *v = room + n * s.block;
  for (int c = 0; c < s.size; c += 2) {
    for (int j = 0; j < s.block; j += kN) {
      widen(keys + c / 2 * s.block + j, k + c * s.block + j, c + 1 < s.size ? k + (c + 1) * s.block + j : nullptr);
    }
  }
  for (int j = 0; j < s.block; ++j) {
    for (int i = 0; i < words; i += kN) {
      const int c = i / 16 * 32 + i % 16;
      widen(values + j * words + i, v + j * n + c, c + 16 < n ? v + j * n + c + 16 : nullptr);
    }
  }
  return {k, v};
}

// what one query head keeps between panels: q times its scale, the weighted values so far, scores then weights of the
// present panel, the maximum and the sum
struct Sums {
  float *q, *o, *p, *peak, *total;
};
HWY_INLINE Sums sums_of(const AttentionShape& s, int head, float* work) {
  float* at = work + head * attend_floats(s.size);
  const int n = padded(s.size);
  return {at, at + n, at + 2 * n, at + 2 * n + kMostBlock, at + 2 * n + kMostBlock + 1};
}

// up to four query heads that go through a panel together, for enough chains in flight
struct Heads {
  Sums sums[4];
  Panel panel[4];
};

// scores of kVectors·kN keys from key `at` on, of kHeads heads; kSame: they share a key head
template <int kHeads, int kVectors, bool kSame>
HWY_INLINE void score_keys(const AttentionShape& shape, const Heads& h, int at) {
  const D d;
  V sum[kHeads][kVectors];
  for (auto& row : sum) {
    for (V& v : row) v = hn::Zero(d);
  }
  for (int c = 0; c < shape.size; ++c) {
    const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(c) * shape.block + at;
    V key[kVectors];
    for (int i = 0; i < kHeads; ++i) {
      const V q = hn::Set(d, h.sums[i].q[c]);
      for (int v = 0; v < kVectors; ++v) {
        if (i == 0 || !kSame) key[v] = hn::Load(d, h.panel[i].keys + first + v * kN);
        sum[i][v] = hn::MulAdd(q, key[v], sum[i][v]);
      }
    }
  }
  for (int i = 0; i < kHeads; ++i) {
    for (int v = 0; v < kVectors; ++v) hn::Store(sum[i][v], d, h.sums[i].p + at + v * kN);
  }
}

// o ← o + Σ_j p_j v_j of kVectors·kN channels from `at` on
template <int kHeads, int kVectors, bool kSame>
HWY_INLINE void add_values(const AttentionShape& shape, const Heads& h, Seen seen, int at) {
  const D d;
  const int stride = padded(shape.size);
  V sum[kHeads][kVectors];
  for (int i = 0; i < kHeads; ++i) {
    for (int v = 0; v < kVectors; ++v) sum[i][v] = hn::Load(d, h.sums[i].o + at + v * kN);
  }
  for (int j = seen.first; j < seen.last; ++j) {
    V value[kVectors];
    for (int i = 0; i < kHeads; ++i) {
      const V p = hn::Set(d, h.sums[i].p[j]);
      for (int v = 0; v < kVectors; ++v) {
        if (i == 0 || !kSame) value[v] = hn::Load(d, h.panel[i].values + j * stride + at + v * kN);
        sum[i][v] = hn::MulAdd(p, value[v], sum[i][v]);
      }
    }
  }
  for (int i = 0; i < kHeads; ++i) {
    for (int v = 0; v < kVectors; ++v) hn::Store(sum[i][v], d, h.sums[i].o + at + v * kN);
  }
}

// Σ of lanes as a tree: lane i takes lane i + half, and so on
template <class Tag, class Vector>
HWY_INLINE float tree_sum(Tag d, Vector v) {
#if HWY_TARGET == HWY_SCALAR  // which has no halves
  (void)d;
  return hn::GetLane(v);
#else
  if constexpr (hn::MaxLanes(d) == 1) {
    return hn::GetLane(v);
  } else {
    const hn::Half<Tag> half;
    return tree_sum(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  }
#endif
}

// scores to weights; the maximum and the sums follow
HWY_INLINE void weigh(const AttentionShape& shape, const Sums& s, Seen seen) {
  const D d;
  const int begin = seen.first / kN * kN, end = (seen.last + kN - 1) / kN * kN;
  const V hidden = hn::Set(d, kHidden);
  if (seen.first > begin || seen.last < end) {
    for (int j = begin; j < seen.first; ++j) s.p[j] = kHidden;
    for (int j = seen.last; j < end; ++j) s.p[j] = kHidden;
  }
  V largest = hidden;
  for (int j = begin; j < end; j += kN) largest = hn::Max(largest, hn::Load(d, s.p + j));
  const V before = hn::Set(d, *s.peak), peak = hn::Max(before, hn::Set(d, hn::GetLane(hn::MaxOfLanes(d, largest))));
  const V kept = power_of_two(hn::Sub(before, peak));
  V total = hn::Zero(d);
  for (int j = begin; j < end; j += kN) {
    const V score = hn::Load(d, s.p + j);
    const V p = hn::IfThenElseZero(hn::Gt(score, hn::Set(d, kVisible)), power_of_two(hn::Sub(score, peak)));
    total = hn::Add(total, p);
    hn::Store(p, d, s.p + j);
  }
  *s.total = hn::GetLane(hn::MulAdd(hn::Set(d, *s.total), kept, hn::Set(d, tree_sum(d, total))));
  *s.peak = hn::GetLane(peak);
  if (hn::GetLane(kept) == 1.0F) return;
  for (int i = 0; i < padded(shape.size); i += kN) hn::Store(hn::Mul(hn::Load(d, s.o + i), kept), d, s.o + i);
}

template <int kHeads, bool kSame>
HWY_INLINE void through_panel(const AttentionShape& shape, const Heads& h, Seen seen) {
  constexpr int kWide = kHeads == 4 ? 2 : 4;
  const int end = (seen.last + kN - 1) / kN * kN, channels = padded(shape.size);
  int at = seen.first / kN * kN;
  for (; at + kWide * kN <= end; at += kWide * kN) score_keys<kHeads, kWide, kSame>(shape, h, at);
  for (; at + kN <= end; at += kN) score_keys<kHeads, 1, kSame>(shape, h, at);
  for (int i = 0; i < kHeads; ++i) weigh(shape, h.sums[i], seen);
  for (at = 0; at + kWide * kN <= channels; at += kWide * kN) add_values<kHeads, kWide, kSame>(shape, h, seen, at);
  for (; at < channels; at += kN) add_values<kHeads, 1, kSame>(shape, h, seen, at);
}

void attend_start(const AttentionShape& shape, const float* q, int first, int heads, float* work) {
  const float scale = query_scale(shape.size);
  for (int head = first; head < first + heads; ++head) {
    const Sums s = sums_of(shape, head, work);
    for (int i = 0; i < shape.size; ++i) s.q[i] = q[head * shape.size + i] * scale;
    for (int i = shape.size; i < padded(shape.size); ++i) s.q[i] = 0;
    for (int i = 0; i < padded(shape.size); ++i) s.o[i] = 0;
    *s.peak = kNoPeak;
    *s.total = 0;
  }
}

// the next heads, from `head` on, that go together: two of a group, four of different key heads, or one
HWY_INLINE int heads_together(const AttentionShape& shape, int head, int end) {
  if (shape.group() > 1) return HWY_MIN(HWY_MIN(end - head, 2), shape.group() - head % shape.group());
  // a wide head has enough chains of its own, and reads its panel front to back
  return end - head >= 4 && shape.size < 4 * kN && !shape.bfloat16 ? 4 : 1;
}

void attend_blocks(const AttentionShape& shape, const float* panels, const KeyBlock* list, int count, int first,
                   int heads, float* work) {
  float* room = work + shape.heads * attend_floats(shape.size);
  for (int b = 0; b < count; ++b) {
    const Seen seen = seen_of(list[b], 1, shape.block);
    if (seen.first >= seen.last) continue;
    for (int head = first, n = 0; head < first + heads; head += n) {
      n = heads_together(shape, head, first + heads);
      Heads h;
      for (int i = 0; i < n; ++i) {
        h.sums[i] = sums_of(shape, head + i, work);
        h.panel[i] =
            i > 0 && n == 2 ? h.panel[0] : panel_of(shape, panels, list[b].panel, (head + i) / shape.group(), room);
      }
      if (n == 4) through_panel<4, false>(shape, h, seen);
      if (n == 2) through_panel<2, true>(shape, h, seen);
      if (n == 1) through_panel<1, true>(shape, h, seen);
    }
  }
}

void attend_finish(const AttentionShape& shape, int first, int heads, float* work, float* y) {
  const D d;
  for (int head = first; head < first + heads; ++head) {
    const Sums s = sums_of(shape, head, work);
    const V total = hn::Set(d, *s.total);
    for (int i = 0; i < padded(shape.size); i += kN) {
      // + 0 turns −0, which depends on the hidden keys that were passed over, into 0
      hn::Store(hn::Add(hn::Div(hn::Load(d, s.o + i), total), hn::Zero(d)), d, s.o + i);
    }
    for (int i = 0; i < shape.size; ++i) y[head * shape.size + i] = s.o[i];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace elastane
HWY_AFTER_NAMESPACE();
#endif
