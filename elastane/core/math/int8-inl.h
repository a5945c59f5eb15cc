// y = start + W x with int8 weights: inputs are rounded to 15 bits, sums are exact integers.   Included once for each
// instruction set; see kernels.cpp.
#if defined(ELASTANE_INT8_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ELASTANE_INT8_INL_H_
#undef ELASTANE_INT8_INL_H_
#else
#define ELASTANE_INT8_INL_H_
#endif

#include "elastane/core/math/int8_product.h"
#include "elastane/core/math/lanes-inl.h"
#include "elastane/core/math/packed_matrix.h"

HWY_BEFORE_NAMESPACE();
namespace elastane {
namespace HWY_NAMESPACE {

using DI = hn::RebindToSigned<D>;
using VI = hn::Vec<DI>;

// inputs of one row, as far as one sum reaches
struct RoundedInputs {
  alignas(64) Int8Inputs at[kInt8Columns / 4];
  std::int32_t sum;  // Σ q
  float factor;      // x ≈ factor·q; NaN if an x is not finite
};

// the lanes of x before n; the rest is zero
HWY_INLINE V load_before(const float* x, int n) {
  const D d;
  if (n >= kN) return hn::LoadU(d, x);
  return hn::IfThenElseZero(hn::FirstN(d, static_cast<std::size_t>(n)), hn::LoadU(d, x));
}

// inputs from i on
#if HWY_TARGET == HWY_SCALAR
HWY_INLINE void store_inputs(VI q, int i, Int8Inputs* inputs) {
  Int8Inputs& to = inputs[i / 4];
  if (i % 4 == 0) to = {};
  const auto bits = static_cast<std::uint32_t>(hn::GetLane(q));
  to.low |= (bits & 127U) << (8 * (i % 4));
  to.high |= (bits >> 7 & 255U) << (8 * (i % 4));
  (i % 2 == 0 ? to.even : to.odd) |= (bits & 0xFFFFU) << (8 * (i & 2));
}
#else
HWY_INLINE void store_inputs(VI q, int i, Int8Inputs* inputs) {
  const DI d;
  // in each lane: the low byte, the high byte, and all 16 bits
  const VI low = hn::And(q, hn::Set(d, 127)), high = hn::And(hn::ShiftLeft<1>(q), hn::Set(d, 0xFF00));
  const VI all = hn::Or(hn::Or(low, high), hn::ShiftLeft<16>(q));
  const hn::Repartition<std::uint8_t, DI> bytes;
  alignas(16) static constexpr std::uint8_t kOrder[16] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 3, 10, 11, 6, 7, 14, 15};
  const auto ordered = hn::TableLookupBytes(hn::BitCast(bytes, all), hn::LoadDup128(bytes, kOrder));
  hn::StoreU(hn::BitCast(d, ordered), d, reinterpret_cast<std::int32_t*>(inputs + i / 4));
}
#endif

HWY_INLINE void round_inputs(const float* x, int n, RoundedInputs& out) {
  const D d;
  const DI di;
  V most = hn::Zero(d), fault = hn::Zero(d);
  for (int i = 0; i < n; i += kN) {
    const V v = load_before(x + i, n - i);
    most = hn::Max(most, hn::Abs(v));
    fault = hn::MulAdd(v, hn::Zero(d), fault);  // NaN if v is not finite
  }
  const float largest = hn::GetLane(hn::MaxOfLanes(d, most)), faulty = hn::GetLane(hn::SumOfLanes(d, fault));
  out.factor = largest / kMostInput + faulty;
  const V inverse = hn::Set(d, largest > 1e-30F && faulty == 0 ? kMostInput / largest : 0.0F);
  VI sum = hn::Zero(di);
  for (int i = 0; i < n; i += kN) {
    const VI q = faulty == 0 ? hn::NearestInt(hn::Mul(load_before(x + i, n - i), inverse)) : hn::Zero(di);
    sum = hn::Add(sum, q);
    store_inputs(q, i, out.at);
  }
  out.sum = hn::GetLane(hn::SumOfLanes(di, sum));
}

// Σ (w + 128)q of kN rows; what overflows comes back when 128·Σ q is taken off
HWY_INLINE VI add_products(VI codes, const Int8Inputs& q, VI sum) {
  const DI d;
#if HWY_ARCH_X86
  // multiplies 16 bits and adds neighbours, which are columns of the same row
  const hn::Repartition<std::int16_t, DI> d16;
  const hn::Repartition<std::uint16_t, DI> u16;
  const auto even = hn::And(hn::BitCast(d16, codes), hn::Set(d16, 0xFF));
  const auto odd = hn::BitCast(d16, hn::ShiftRight<8>(hn::BitCast(u16, codes)));
  const auto by_even = hn::BitCast(d16, hn::Set(d, static_cast<std::int32_t>(q.even)));
  const auto by_odd = hn::BitCast(d16, hn::Set(d, static_cast<std::int32_t>(q.odd)));
  VI unused = hn::Zero(d);
  sum = hn::ReorderWidenMulAccumulate(d, even, by_even, sum, unused);
  return hn::ReorderWidenMulAccumulate(d, odd, by_odd, sum, unused);
#else
  const auto low = [](std::uint32_t word) { return static_cast<std::int32_t>(static_cast<std::int16_t>(word)); };
  const auto times = [&](VI byte, std::int32_t by) { return hn::Mul(hn::And(byte, hn::Set(d, 255)), hn::Set(d, by)); };
  sum = hn::Add(sum, times(codes, low(q.even)));
  sum = hn::Add(sum, times(hn::ShiftRight<8>(codes), low(q.odd)));
  sum = hn::Add(sum, times(hn::ShiftRight<16>(codes), low(q.even >> 16)));
  return hn::Add(sum, times(hn::ShiftRight<24>(codes), low(q.odd >> 16)));
#endif
}

HWY_INLINE void int8_product(const Int8Panel& p, std::int32_t* sums) {
  const DI d;
  for (int first = 0; first < p.width; first += kN) {
    VI sum[kInt8Rows] = {hn::Zero(d), hn::Zero(d)};
    const auto* codes = reinterpret_cast<const std::int32_t*>(p.codes) + first;
    for (int g = 0; g < p.groups; ++g, codes += p.width) {
      const VI word = hn::Load(d, codes);
      sum[0] = add_products(word, p.inputs[0][g], sum[0]);
      if (p.count == kInt8Rows) sum[1] = add_products(word, p.inputs[1][g], sum[1]);
    }
    for (int r = 0; r < p.count; ++r) {
      hn::StoreU(hn::Sub(sum[r], hn::ShiftLeft<7>(hn::Set(d, p.input_sums[r]))), d, sums + r * p.width + first);
    }
  }
}

// what instructions this machine has besides the compiled set
HWY_INLINE void best_int8_product(const Int8Panel& p, std::int32_t* sums) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON
  if (const Int8Product own = machine_int8_product.load(std::memory_order_relaxed)) return own(p, sums);
#endif
  int8_product(p, sums);
}

// count rows of x from `row` on, for the columns of one sum
HWY_INLINE void add_columns(const PackedMatrix& m, int from, const float* start, const ConstRows& x, int row, int count,
                            const Rows& y) {
  const D d;
  const int n = HWY_MIN(m.cols - m.zero_cols - from, kInt8Columns);
  RoundedInputs rounded[kInt8Rows];
  Int8Panel panel{.codes = nullptr, .width = 0, .groups = (n + 3) / 4, .count = count, .inputs = {}, .input_sums = {}};
  for (int r = 0; r < count; ++r) {
    round_inputs(x[row + r] + from, n, rounded[r]);
    panel.inputs[r] = rounded[r].at;
    panel.input_sums[r] = rounded[r].sum;
  }
  alignas(64) std::int32_t sums[kInt8Rows * kPanel];
  for (int first = 0; first < m.rows; first += kPanel) {
    panel.width = HWY_MIN(m.rows - first, kPanel);
    panel.codes = m.data + as_size(first) * m.stored_cols() + as_size(from) * panel.width;
    best_int8_product(panel, sums);
    for (int r = 0; r < count; ++r) {
      const V factor = hn::Set(d, rounded[r].factor);
      float* out = y[row + r] + first;
      for (int i = 0; i < panel.width; i += kN) {
        const V value = hn::ConvertTo(d, hn::LoadU(DI(), sums + r * panel.width + i));
        const V scale = hn::Mul(factor, hn::LoadU(d, m.scales() + first + i));
        const V before = from > 0           ? hn::LoadU(d, out + i)
                         : start != nullptr ? hn::LoadU(d, start + first + i)
                                            : hn::Zero(d);
        hn::StoreU(hn::MulAdd(scale, value, before), d, out + i);
      }
    }
  }
}

HWY_INLINE void linear_int8(const PackedMatrix& m, const float* start, const ConstRows& x, const Rows& y) {
  for (int row = 0; row < x.count; row += kInt8Rows) {
    const int count = HWY_MIN(x.count - row, kInt8Rows);
    for (int from = 0; from == 0 || from < m.cols - m.zero_cols; from += kInt8Columns) {
      add_columns(m, from, start, x, row, count, y);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace elastane
HWY_AFTER_NAMESPACE();
#endif
