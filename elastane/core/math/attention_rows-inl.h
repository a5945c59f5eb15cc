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
  int rows, lanes, stride;  // lanes: rows, up to a whole vector
  float *q, *o, *p;         // [size], [size], [block]
  float *peak, *total;      // []
  float* room;              // for a converted panel

  // the rows of the vector at lane v alone
  QueryRows vector(int v) const {
    return {HWY_MIN(kN, rows - v), kN, stride, q + v, o + v, p + v, peak + v, total + v, room};
  }
};
HWY_INLINE QueryRows carve_rows(const AttentionShape& shape, int rows, float* work) {
  const int stride = (rows + kN - 1) / kN * kN;
  QueryRows r{rows, stride, stride, work, nullptr, nullptr, nullptr, nullptr, nullptr};
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
  // one vector alone needs a longer tile, for enough chains in flight
  constexpr int kSteps = kVectors > 1 ? 6 : HWY_TARGET == HWY_AVX3 ? 16 : 8;
  int i = 0;
  for (; i + kSteps <= n; i += kSteps) {
    outer_tile<kSteps, kVectors>(x, y + i, step, count, stride, add, out + i * stride);
  }
  for (; i + 4 <= n; i += 4) outer_tile<4, kVectors>(x, y + i, step, count, stride, add, out + i * stride);
  for (; i + 2 <= n; i += 2) outer_tile<2, kVectors>(x, y + i, step, count, stride, add, out + i * stride);
  for (; i < n; ++i) outer_tile<1, kVectors>(x, y + i, step, count, stride, add, out + i * stride);
}
HWY_INLINE void outer(const QueryRows& r, const float* x, const float* y, int step, int count, bool add, int n,
                      float* out) {
  int v = 0;
  for (; v + kTileVectors * kN <= r.lanes; v += kTileVectors * kN) {
    outer_column<kTileVectors>(x + v, y, step, count, r.stride, add, n, out + v);
  }
  for (; v < r.lanes; v += kN) outer_column<1>(x + v, y, step, count, r.stride, add, n, out + v);
}

// hides what a row of this vector does not see: keys that come later, and those beyond its reach
HWY_INLINE void hide(const QueryRows& r, const KeyBlock& b, Seen seen) {
  const D d;
  const V hidden = hn::Set(d, kHidden), row = hn::Iota(d, 0.0F);
  for (int j = seen.first; j < seen.last; ++j) {
    const int own = b.from + j;  // the row that is at this key
    const bool late = own > 0, far = r.rows - 1 - own >= b.reach;
    if (!late && !far) continue;
    V score = hn::Load(d, r.p + j * r.stride);
    if (late) score = hn::IfThenElse(hn::Ge(row, hn::Set(d, static_cast<float>(own))), score, hidden);
    if (far) score = hn::IfThenElse(hn::Lt(row, hn::Set(d, static_cast<float>(own + b.reach))), score, hidden);
    hn::Store(score, d, r.p + j * r.stride);
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
  for (int v = 0; v < r.lanes; v += kN) {
    const V kept = edge ? weigh_lanes<true>(r, seen, v) : weigh_lanes<false>(r, seen, v);
    if (hn::AllTrue(d, hn::Eq(kept, hn::Set(d, 1.0F)))) continue;
    for (int c = 0; c < shape.size; ++c) {
      float* o = r.o + c * r.stride + v;
      hn::Store(hn::Mul(hn::Load(d, o), kept), d, o);
    }
  }
}

// keys [seen.first, seen.last) of a panel; `edge`: some row does not see all of them
HWY_INLINE void through_keys(const AttentionShape& shape, const QueryRows& r, const KeyBlock& b, const Panel& panel,
                             Seen seen, bool edge) {
  const int n = seen.last - seen.first, row = padded(shape.size);
  float* p = r.p + seen.first * r.stride;
  outer(r, r.q, panel.keys + seen.first, shape.block, shape.size, false, n, p);
  if (edge) hide(r, b, seen);
  weigh_rows(shape, r, seen, edge);
  outer(r, p, panel.values + seen.first * row, row, n, true, shape.size, r.o);
}

// A panel that some row does not see as a whole is read vector by vector, each up to its own last key: of the panel on the
// diagonal three eighths are left out. What is left out has the weight 0, so no bit changes.
HWY_INLINE void through_panel(const AttentionShape& shape, const QueryRows& r, const KeyBlock& b, const Panel& panel) {
  const bool edge = b.from + shape.block > 1 || r.rows - 1 - b.from >= b.reach;
  if (!edge) {
    through_keys(shape, r, b, panel, {0, shape.block}, false);
    return;
  }
  for (int v = 0; v < r.rows; v += kN) {
    const QueryRows own = r.vector(v);
    const KeyBlock from_here = {b.panel, b.from - v, b.reach};
    const Seen seen = seen_of(from_here, own.rows, shape.block);
    if (seen.first < seen.last) through_keys(shape, own, from_here, panel, seen, true);
  }
}

// to[c·to_stride + r] = from[r·from_stride + c]·scale, in tiles of four by four
HWY_INLINE void turned(const float* from, std::ptrdiff_t from_stride, int rows, int columns, float scale, float* to,
                       std::ptrdiff_t to_stride) {
  const hn::CappedTag<float, 4> d;
  const auto factor = hn::Set(d, scale);
  int r = 0;
  for (; r + 4 <= rows; r += 4) {
    const float* at = from + r * from_stride;
    int c = 0;
    for (; c + 4 <= columns; c += 4) {
      const auto a0 = hn::LoadU(d, at + c), a1 = hn::LoadU(d, at + from_stride + c),
                 a2 = hn::LoadU(d, at + 2 * from_stride + c), a3 = hn::LoadU(d, at + 3 * from_stride + c);
      const auto low02 = hn::InterleaveLower(d, a0, a2), low13 = hn::InterleaveLower(d, a1, a3),
                 high02 = hn::InterleaveUpper(d, a0, a2), high13 = hn::InterleaveUpper(d, a1, a3);
      float* out = to + c * to_stride + r;
      hn::StoreU(hn::Mul(hn::InterleaveLower(d, low02, low13), factor), d, out);
      hn::StoreU(hn::Mul(hn::InterleaveUpper(d, low02, low13), factor), d, out + to_stride);
      hn::StoreU(hn::Mul(hn::InterleaveLower(d, high02, high13), factor), d, out + 2 * to_stride);
      hn::StoreU(hn::Mul(hn::InterleaveUpper(d, high02, high13), factor), d, out + 3 * to_stride);
    }
    for (; c < columns; ++c) {
      for (int i = 0; i < 4; ++i) to[c * to_stride + r + i] = at[i * from_stride + c] * scale;
    }
  }
  for (; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) to[c * to_stride + r] = from[r * from_stride + c] * scale;
  }
}

// queries turned to [channel][row], lanes without a row are zero
HWY_INLINE void turn_in(const AttentionShape& shape, int head, const ConstRows& q, const QueryRows& r) {
  turned(q[0] + head * shape.size, q.stride, r.rows, shape.size, query_scale(shape.size), r.q, r.stride);
  for (int c = 0; r.rows < r.stride && c < shape.size; ++c) {
    for (int row = r.rows; row < r.stride; ++row) r.q[c * r.stride + row] = 0;
  }
  for (int row = 0; row < r.stride; ++row) r.peak[row] = kNoPeak, r.total[row] = 0;
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
  turned(r.o, r.stride, shape.size, r.rows, 1, y[0] + head * shape.size, y.stride);
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
