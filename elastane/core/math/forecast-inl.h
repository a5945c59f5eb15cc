// Lower blocks of symmetric matrices, and mixtures.   Included once for each instruction set; see
// forecast_kernels.cpp.
#if defined(ELASTANE_FORECAST_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ELASTANE_FORECAST_INL_H_
#undef ELASTANE_FORECAST_INL_H_
#else
#define ELASTANE_FORECAST_INL_H_
#endif

#include <algorithm>

#include "elastane/core/math/forecast_kernels.h"
#include "hwy/cache_control.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace elastane {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DD = hn::CappedTag<double, 8>;
using VD = hn::Vec<DD>;
inline constexpr int kND = static_cast<int>(hn::MaxLanes(DD()));

// kRows rows of block `first`: every entry left of the block counts for its row and, mirrored, for its column
template <int kRows>
HWY_INLINE void symmetric_rows(const ConstDoubleRows& p, int i, int first, int end, const double* x, double* out) {
  const DD d;
  VD sum[kRows], here[kRows];
  for (int r = 0; r < kRows; ++r) {
    sum[r] = hn::Zero(d);
    here[r] = hn::Set(d, x[i + r]);
  }
  for (int k = 0; k < first; k += kND) {
    const VD right = hn::LoadU(d, x + k);
    VD mirrored = hn::LoadU(d, out + k);
    for (int r = 0; r < kRows; ++r) {
      if (kRows > 1) hwy::Prefetch(p[i + r] + kDoubleLane * p.stride + k);
      const VD entry = hn::LoadU(d, p[i + r] + k);
      sum[r] = hn::MulAdd(entry, right, sum[r]);
      mirrored = hn::MulAdd(entry, here[r], mirrored);
    }
    hn::StoreU(mirrored, d, out + k);
  }
  for (int k = first; k < end; k += kND) {
    const VD right = hn::LoadU(d, x + k);
    for (int r = 0; r < kRows; ++r) sum[r] = hn::MulAdd(hn::LoadU(d, p[i + r] + k), right, sum[r]);
  }
  for (int r = 0; r < kRows; ++r) out[i + r] += hn::GetLane(hn::SumOfLanes(d, sum[r]));
}

void symmetric_product(ConstDoubleRows p, const double* x, double* out) {
  std::fill_n(out, p.stride, 0.0);
  for (int first = 0; first < p.count; first += kDoubleLane) {
    const int end = first + kDoubleLane, rows = std::min(end, p.count);
    int i = first;
    for (; i + 4 <= rows; i += 4) symmetric_rows<4>(p, i, first, end, x, out);
    for (; i < rows; ++i) symmetric_rows<1>(p, i, first, end, x, out);
  }
}

// kRows rows of one block
template <int kRows>
HWY_INLINE void shrink_rows(const double* u, VD by, VD factor, int i, int end, const DoubleRows& p) {
  const DD d;
  VD here[kRows];
  for (int r = 0; r < kRows; ++r) here[r] = hn::Set(d, u[i + r]);
  for (int k = 0; k < end; k += kND) {
    const VD there = hn::LoadU(d, u + k);
    for (int r = 0; r < kRows; ++r) {
      double* at = p[i + r] + k;
      const VD product = hn::Mul(here[r], there);  // first, so that a block stays symmetric to the last bit
      hn::StoreU(hn::Mul(hn::NegMulAdd(product, by, hn::LoadU(d, at)), factor), d, at);
    }
  }
}

void symmetric_shrink(const double* u, double c, double grow, DoubleRows p) {
  const DD d;
  const VD by = hn::Set(d, c), factor = hn::Set(d, grow);
  for (int first = 0; first < p.count; first += kDoubleLane) {
    const int end = first + kDoubleLane, rows = std::min(end, p.count);
    int i = first;
    for (; i + 4 <= rows; i += 4) shrink_rows<4>(u, by, factor, i, end, p);
    for (; i < rows; ++i) shrink_rows<1>(u, by, factor, i, end, p);
  }
}

// four sums at a time do not wait for each other
HWY_INLINE double dot_rows(const double* a, const double* b, int n) {
  const DD d;
  VD sum[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  int k = 0;
  for (; k + 4 * kND <= n; k += 4 * kND) {
    for (int v = 0; v < 4; ++v)
      sum[v] = hn::MulAdd(hn::LoadU(d, a + k + v * kND), hn::LoadU(d, b + k + v * kND), sum[v]);
  }
  for (; k < n; k += kND) sum[0] = hn::MulAdd(hn::LoadU(d, a + k), hn::LoadU(d, b + k), sum[0]);
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(sum[0], sum[1]), hn::Add(sum[2], sum[3]))));
}

double dot_padded(const double* a, const double* b, int n) { return dot_rows(a, b, n); }

bool learn_label(const LabelBatch& b) {
  const DD d;
  bool has_learned = false;
  for (int h = 1; h <= b.origins; ++h) {
    const std::ptrdiff_t at = b.slot >= h ? b.slot - h : b.slot - h + b.horizon;
    if (!(b.reach[at] > 0)) continue;
    double* w = b.weights + static_cast<std::ptrdiff_t>(h - 1) * b.stride;
    const double before = dot_rows(w, b.features + at * b.stride, b.stride) + b.anchor[at];
    const double* gain = b.gains + at * b.stride;
    const VD by = hn::Set(d, b.label - before);
    int k = 0;
    for (; k + 4 * kND <= b.stride; k += 4 * kND) {
      for (int v = k; v < k + 4 * kND; v += kND)
        hn::StoreU(hn::MulAdd(by, hn::LoadU(d, gain + v), hn::LoadU(d, w + v)), d, w + v);
    }
    for (; k < b.stride; k += kND) hn::StoreU(hn::MulAdd(by, hn::LoadU(d, gain + k), hn::LoadU(d, w + k)), d, w + k);
    has_learned = true;
  }
  return has_learned;
}

// kND steps at once: mixture.cpp has the same for one
HWY_INLINE void follow_steps(const MixtureBatch& b, int k) {
  constexpr int kMost = 8;
  const DD d;
  const VD gain = hn::LoadU(d, b.gain + k);
  const auto known = hn::Gt(gain, hn::Zero(d));
  VD error[kMost], weight[kMost], slope[kMost], least = hn::Set(d, 1e300);
  for (int i = 0; i < b.members; ++i) {
    error[i] = hn::LoadU(d, b.errors + i * b.steps + k);
    weight[i] = hn::LoadU(d, b.shares + i * b.steps + k);
    slope[i] = hn::Zero(d);
  }
  for (int i = 0; i < b.members; ++i) {
    for (int j = 0; j < b.members; ++j) {
      double* at = b.common + (i * b.members + j) * b.steps + k;
      const VD before = hn::LoadU(d, at);
      const VD c = hn::MulAdd(gain, hn::Sub(hn::Mul(error[i], error[j]), before), before);  // C ← βC + (1 − β)eeᵀ
      hn::StoreU(hn::IfThenElse(known, c, before), d, at);
      if (i == j) least = hn::Min(least, c);
      slope[i] = hn::MulAdd(c, weight[j], slope[i]);
    }
  }
  VD mean = hn::Zero(d), sum = hn::Zero(d);
  for (int i = 0; i < b.members; ++i) {
    if (i != b.favoured) slope[i] = hn::MulAdd(hn::Set(d, b.caution), least, slope[i]);  // v = Cw + δ min C_ii
    mean = hn::MulAdd(weight[i], slope[i], mean);
  }
  const VD scale = hn::Div(hn::Set(d, -b.rate), hn::Add(least, hn::Set(d, 1e-12))), most = hn::Set(d, 3.0);
  VD next[kMost];
  for (int i = 0; i < b.members; ++i) {
    const VD fall = hn::Mul(scale, hn::Sub(slope[i], mean));
    next[i] = hn::Mul(weight[i], hn::Exp(d, hn::Max(hn::Neg(most), hn::Min(most, fall))));
    sum = hn::Add(sum, next[i]);
  }
  const VD kept = hn::Div(hn::Set(d, 1 - b.share), sum);
  for (int i = 0; i < b.members; ++i) {
    const VD w = hn::MulAdd(kept, next[i], hn::Set(d, b.share * b.first[i]));
    hn::StoreU(hn::IfThenElse(known, w, weight[i]), d, b.shares + i * b.steps + k);
  }
}

void follow_mixtures(const MixtureBatch& batch) {
  for (int k = 0; k < batch.steps; k += kND) follow_steps(batch, k);
}

}  // namespace HWY_NAMESPACE
}  // namespace elastane
HWY_AFTER_NAMESPACE();

#endif  // ELASTANE_FORECAST_INL_H_
