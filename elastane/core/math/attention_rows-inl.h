// Attention of up to 64 rows of queries over a list of panels.   Included once for each instruction set; see kernels.cpp.
//
// Vectors run along the queries: nothing is added across lanes, and keys and values are read as scalars. The chains are
// those of attention-inl.h, so that a row gets the same bits as a query on its own.
#if defined(ELASTANE_ATTENTION_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ELASTANE_ATTENTION_ROWS_INL_H_
#undef ELASTANE_ATTENTION_ROWS_INL_H_
#else
#define ELASTANE_ATTENTION_ROWS_INL_H_
#endif

#include "elastane/core/math/attention-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elastane {
namespace HWY_NAMESPACE {

// the widest register tile: keys or channels times vectors of queries, in 32 registers or in 16
inline constexpr int kTileVectors = HWY_TARGET == HWY_AVX3 ? 4 : 2;

// rows of queries on their way: everything [..][stride], a row of queries in each lane
struct QueryRows {
  int rows, stride;
  float *q, *o, *p;     // [size], [size], [block]
  float *peak, *total;  // []
  float* room;          // for a converted panel
};
HWY_INLINE QueryRows carve_rows(const AttentionShape& shape, int rows, float* work) {
  const int stride = (rows + kN - 1) / kN * kN;
  QueryRows r{rows, stride, work, nullptr, nullptr, nullptr, nullptr, nullptr};
  r.o = r.q + shape.size * stride;
  r.p = r.o + shape.size * stride;
  r.peak = r.p + shape.block * stride;
  r.total = r.peak + stride;
  r.room = work + (2 * shape.size + kMostBlock + 2) * kQueryRows;
  return r;
}

// kSteps neighbours times kVectors vectors: out[i] = start + Σ_n x[n] ⊙ y[n·step + i]; scores, where n is a channel, i a
// key; values, where n is a key, i a channel
template <int kSteps, int kVectors>
HWY_INLINE void outer_tile(const float* HWY_RESTRICT x, const float* HWY_RESTRICT y, int step, int count, int stride,
                           bool add, float* HWY_RESTRICT out) {
  const D d;
  V sum[kSteps][kVectors];
  for (int i = 0; i < kSteps; ++i) {
    for (int v = 0; v < kVectors; ++v) sum[i][v] = add ? hn::Load(d, out + i * stride + v * kN) : hn::Zero(d);
  }
  for (int n = 0; n < count; ++n, x += stride, y += step) {
    V lane[kVectors];
    for (int v = 0; v < kVectors; ++v) lane[v] = hn::Load(d, x + v * kN);
    for (int i = 0; i < kSteps; ++i) {
      const V scalar = hn::Set(d, y[i]);
      for (int v = 0; v < kVectors; ++v) sum[i][v] = hn::MulAdd(scalar, lane[v], sum[i][v]);
    }
  }
  for (int i = 0; i < kSteps; ++i) {
    for (int v = 0; v < kVectors; ++v) hn::Store(sum[i][v], d, out + i * stride + v * kN);
  }
}

// all of out[0, n), kVectors vectors wide
template <int kVectors>
HWY_INLINE void outer_column(const float* x, const float* y, int step, int count, int stride, bool add, int n,
                             float* out) {
  int i = 0;
  for (; i + 6 <= n; i += 6) outer_tile<6, kVectors>(x, y + i, step, count, stride, add, out + i * stride);
  for (; i + 4 <= n; i += 4) outer_tile<4, kVectors>(x, y + i, step, count, stride, add, out + i * stride);
  for (; i + 2 <= n; i += 2) outer_tile<2, kVectors>(x, y + i, step, count, stride, add, out + i * stride);
  for (; i < n; ++i) outer_tile<1, kVectors>(x, y + i, step, count, stride, add, out + i * stride);
}
HWY_INLINE void outer(const float* x, const float* y, int step, int count, int stride, bool add, int n, float* out) {
  int v = 0;
  for (; v + kTileVectors * kN <= stride; v += kTileVectors * kN) {
    outer_column<kTileVectors>(x + v, y, step, count, stride, add, n, out + v);
  }
  for (; v < stride; v += kN) outer_column<1>(x + v, y, step, count, stride, add, n, out + v);
}

// hides what a row does not see: keys that come later, and those beyond its reach
HWY_INLINE void hide(const QueryRows& r, const KeyBlock& b, Seen seen) {
  const D d;
  const V hidden = hn::Set(d, kHidden);
  for (int j = seen.first; j < seen.last; ++j) {
    const int own = b.from + j;  // the row that is at this key
    const bool far = r.rows - 1 - own >= b.reach;
    for (int v = 0; v < r.stride; v += kN) {
      float* at = r.p + j * r.stride + v;
      const V row = hn::Iota(d, static_cast<float>(v));
      V score = hn::Load(d, at);
      if (own > 0) score = hn::IfThenElse(hn::Ge(row, hn::Set(d, static_cast<float>(own))), score, hidden);
      if (far) score = hn::IfThenElse(hn::Lt(row, hn::Set(d, static_cast<float>(own + b.reach))), score, hidden);
      hn::Store(score, d, at);
    }
  }
}

// scores to weights of one vector of queries; returns the factor of what was summed before
template <bool kEdge>
HWY_INLINE V weigh_lanes(const QueryRows& r, Seen seen, int v) {
  const D d;
  float* p = r.p + v;
  V largest = hn::Set(d, kHidden);
  for (int j = seen.first; j < seen.last; ++j) largest = hn::Max(largest, hn::Load(d, p + j * r.stride));
  const V before = hn::Load(d, r.peak + v), peak = hn::Max(before, largest);
  const V kept = power_of_two(hn::Sub(before, peak));
  V chain[kN];
  for (V& c : chain) c = hn::Zero(d);
  for (int first = seen.first / kN * kN; first < seen.last; first += kN) {
    for (int i = 0; i < kN; ++i) {
      const int j = first + i;
      if (kEdge && (j < seen.first || j >= seen.last)) continue;
      const V score = hn::Load(d, p + j * r.stride);
      V weight = power_of_two(hn::Sub(score, peak));
      if (kEdge) weight = hn::IfThenElseZero(hn::Gt(score, hn::Set(d, kVisible)), weight);
      chain[i] = hn::Add(chain[i], weight);
      hn::Store(weight, d, p + j * r.stride);
    }
  }
  for (int width = kN / 2; width > 0; width /= 2) {
    for (int i = 0; i < width; ++i) chain[i] = hn::Add(chain[i], chain[i + width]);
  }
  hn::Store(hn::MulAdd(hn::Load(d, r.total + v), kept, chain[0]), d, r.total + v);
  hn::Store(peak, d, r.peak + v);
  return kept;
}

HWY_INLINE void weigh_rows(const AttentionShape& shape, const QueryRows& r, Seen seen, bool edge) {
  const D d;
  for (int v = 0; v < r.stride; v += kN) {
    const V kept = edge ? weigh_lanes<true>(r, seen, v) : weigh_lanes<false>(r, seen, v);
    if (hn::AllTrue(d, hn::Eq(kept, hn::Set(d, 1.0F)))) continue;
    for (int c = 0; c < shape.size; ++c) {
      float* o = r.o + c * r.stride + v;
      hn::Store(hn::Mul(hn::Load(d, o), kept), d, o);
    }
  }
}

HWY_INLINE void through_panel(const AttentionShape& shape, const QueryRows& r, const KeyBlock& b, const Panel& panel) {
  const Seen seen = seen_of(b, r.rows, shape.block);
  const int n = seen.last - seen.first;
  const bool edge = n < shape.block || b.from + shape.block > 1 || r.rows - 1 - b.from >= b.reach;
  outer(r.q, panel.keys + seen.first, shape.block, shape.size, r.stride, false, n, r.p + seen.first * r.stride);
  if (edge) hide(r, b, seen);
  weigh_rows(shape, r, seen, edge);
  const int row = padded(shape.size);
  outer(r.p + seen.first * r.stride, panel.values + seen.first * row, row, n, r.stride, true, shape.size, r.o);
}

// queries turned to [channel][row], lanes without a row are zero
HWY_INLINE void turn_in(const AttentionShape& shape, int head, const ConstRows& q, const QueryRows& r) {
  const float scale = query_scale(shape.size);
  for (int row = 0; row < r.stride; ++row) {
    const float* from = q[row < r.rows ? row : 0] + head * shape.size;
    for (int c = 0; c < shape.size; ++c) r.q[c * r.stride + row] = row < r.rows ? from[c] * scale : 0.0F;
    r.peak[row] = kNoPeak;
    r.total[row] = 0;
  }
  for (int i = 0; i < shape.size * r.stride; ++i) r.o[i] = 0;
}

HWY_INLINE void turn_out(const AttentionShape& shape, int head, const QueryRows& r, const Rows& y) {
  const D d;
  for (int v = 0; v < r.stride; v += kN) {
    const V total = hn::Load(d, r.total + v);
    for (int c = 0; c < shape.size; ++c) {
      float* o = r.o + c * r.stride + v;
      hn::Store(hn::Add(hn::Div(hn::Load(d, o), total), hn::Zero(d)), d, o);
    }
  }
  for (int row = 0; row < r.rows; ++row) {
    float* to = y[row] + head * shape.size;
    for (int c = 0; c < shape.size; ++c) to[c] = r.o[c * r.stride + row];
  }
}

// brings a panel of one key head to the second cache while the one before it is read: a list may jump
HWY_INLINE void fetch_panel(const AttentionShape& shape, const float* panels, const KeyBlock& b, int head) {
  const float *keys = panels + shape.keys_at(b.panel, head), *values = panels + shape.values_at(b.panel, head);
  for (int i = 0; i < shape.key_rows() * shape.block; i += 16) __builtin_prefetch(keys + i, 0, 2);
  for (int i = 0; i < shape.value_words() * shape.block; i += 16) __builtin_prefetch(values + i, 0, 2);
}

void attend_rows(const AttentionShape& shape, const float* panels, const KeyBlock* list, int count, int head,
                 ConstRows q, float* work, Rows y) {
  const QueryRows r = carve_rows(shape, q.count, work);
  turn_in(shape, head, q, r);
  for (int b = 0; b < count; ++b) {
    const Seen seen = seen_of(list[b], r.rows, shape.block);
    if (seen.first >= seen.last) continue;
    if (b + 1 < count) fetch_panel(shape, panels, list[b + 1], head / shape.group());
    through_panel(shape, r, list[b], panel_of(shape, panels, list[b].panel, head / shape.group(), r.room));
  }
  turn_out(shape, head, r, y);
}

}  // namespace HWY_NAMESPACE
}  // namespace elastane
HWY_AFTER_NAMESPACE();
#endif
