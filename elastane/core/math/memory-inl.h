// Reading and writing a matrix by keys, and the packed triangle of least squares.
// Included once for each instruction set; see kernels.cpp.
#if defined(ELASTANE_MEMORY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ELASTANE_MEMORY_INL_H_
#undef ELASTANE_MEMORY_INL_H_
#else
#define ELASTANE_MEMORY_INL_H_
#endif

#include "elastane/core/math/functions-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elastane {
namespace HWY_NAMESPACE {

// kVectors columns from `j` on, all keys, in one pass; with kFold the write comes first
template <bool kFold, int kVectors>
HWY_INLINE void memory_columns(const MemoryWrite& w, const float* key, const float* query, int keys, int n, int j,
                               float* m, float* by_key, float* by_query) {
  const D d;
  V sum_k[kVectors], sum_q[kVectors], error[kVectors];
  for (int v = 0; v < kVectors; ++v) {
    sum_k[v] = sum_q[v] = hn::Zero(d);
    error[v] = kFold ? hn::Load(d, w.error + j + v * kN) : hn::Zero(d);
  }
  const V keep = hn::Set(d, w.keep);
  for (int i = 0; i < keys; ++i) {
    float* row = m + static_cast<std::ptrdiff_t>(i) * n + j;
    const V gain = hn::Set(d, kFold ? w.gain[i] : 0.0F), k = hn::Set(d, key[i]), q = hn::Set(d, query[i]);
    for (int v = 0; v < kVectors; ++v) {
      V x = hn::Load(d, row + v * kN);
      if (kFold) {
        x = hn::MulAdd(gain, error[v], hn::Mul(keep, x));
        hn::Store(x, d, row + v * kN);
      }
      sum_k[v] = hn::MulAdd(k, x, sum_k[v]);
      sum_q[v] = hn::MulAdd(q, x, sum_q[v]);
    }
  }
  for (int v = 0; v < kVectors; ++v) {
    hn::Store(sum_k[v], d, by_key + j + v * kN);
    hn::Store(sum_q[v], d, by_query + j + v * kN);
  }
}

template <bool kFold>
HWY_INLINE void memory_pass(const MemoryWrite& w, const float* key, const float* query, int keys, int n, float* m,
                            float* by_key, float* by_query) {
  int j = 0;
  for (; j + 4 * kN <= n; j += 4 * kN) memory_columns<kFold, 4>(w, key, query, keys, n, j, m, by_key, by_query);
  for (; j < n; j += kN) memory_columns<kFold, 1>(w, key, query, keys, n, j, m, by_key, by_query);
}

void memory_read(const float* key, const float* query, int keys, int n, const float* m, float* by_key,
                 float* by_query) {
  memory_pass<false>({}, key, query, keys, n, const_cast<float*>(m), by_key, by_query);  // nothing is stored
}

void memory_fold(const MemoryWrite& w, const float* key, const float* query, int keys, int n, float* m, float* by_key,
                 float* by_query) {
  memory_pass<true>(w, key, query, keys, n, m, by_key, by_query);
}

void memory_write(const MemoryWrite& w, int keys, int n, float* m) {
  const D d;
  const V keep = hn::Set(d, w.keep);
  for (int i = 0; i < keys; ++i) {
    float* row = m + static_cast<std::ptrdiff_t>(i) * n;
    const V gain = hn::Set(d, w.gain[i]);
    for (int j = 0; j < n; j += kN) {
      hn::Store(hn::MulAdd(gain, hn::Load(d, w.error + j), hn::Mul(keep, hn::Load(d, row + j))), d, row + j);
    }
  }
}

MemoryResidual memory_residual(float keep, const float* value, const float* by_key, int n, float* error) {
  const D d;
  V errors = hn::Zero(d), values = hn::Zero(d);
  const V factor = hn::Set(d, keep);
  for (int i = 0; i < n; i += kN) {
    const V v = bounded(hn::Load(d, value + i), kDriveLimit);
    const V e = bounded(hn::NegMulAdd(factor, hn::Load(d, by_key + i), v), kDriveLimit);
    hn::Store(e, d, error + i);
    errors = hn::MulAdd(e, e, errors);
    values = hn::MulAdd(v, v, values);
  }
  return {hn::GetLane(hn::SumOfLanes(d, errors)), hn::GetLane(hn::SumOfLanes(d, values))};
}

float dot(const float* x, const float* y, int n) {
  const D d;
  V sum = hn::Zero(d);
  for (int i = 0; i < n; i += kN) sum = hn::MulAdd(hn::Load(d, x + i), hn::Load(d, y + i), sum);
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

void blend(float a, const float* x, float b, const float* y, int n, float* out) {
  const D d;
  const V p = hn::Set(d, a), q = hn::Set(d, b);
  for (int i = 0; i < n; i += kN) {
    hn::Store(hn::MulAdd(p, hn::Load(d, x + i), hn::Mul(q, hn::Load(d, y + i))), d, out + i);
  }
}

// row i of the triangle meets channel i twice: its sum with x, and what it adds to the channels before i
void triangle_multiply(const float* p, const float* x, int n, float* y) {
  const D d;
  for (int i = 0; i < n; p += ++i) {
    const V here = hn::Set(d, x[i]);
    V sum = hn::Zero(d);
    int j = 0;
    for (; j + kN <= i; j += kN) {
      const V row = hn::LoadU(d, p + j);
      sum = hn::MulAdd(row, hn::LoadU(d, x + j), sum);
      hn::StoreU(hn::MulAdd(row, here, hn::LoadU(d, y + j)), d, y + j);
    }
    float total = hn::GetLane(hn::SumOfLanes(d, sum)) + p[i] * x[i];
    for (; j < i; ++j) {
      total += p[j] * x[j];
      y[j] += p[j] * x[i];
    }
    y[i] = total;
  }
}

void triangle_update(float c, const float* u, float keep, int n, float* p) {
  const D d;
  const V factor = hn::Set(d, keep);
  for (int i = 0; i < n; p += ++i) {
    const float here = c * u[i];
    const V by = hn::Set(d, here);
    int j = 0;
    for (; j + kN <= i; j += kN) {
      hn::StoreU(hn::Mul(factor, hn::MulAdd(by, hn::LoadU(d, u + j), hn::LoadU(d, p + j))), d, p + j);
    }
    for (; j <= i; ++j) p[j] = keep * (p[j] + here * u[j]);
    p[i] += 1 - keep;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace elastane
HWY_AFTER_NAMESPACE();
#endif
