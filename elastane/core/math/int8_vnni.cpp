// Real-time code only.
// Compiled with AVX-512 VNNI: nothing but intrinsics here, so that no function of these instructions is linked elsewhere.
#include "elastane/core/math/int8_product.h"

#if defined(__AVX512VNNI__)
#include <immintrin.h>

namespace elastane {
namespace {

// the plain intrinsic has an operand that GCC 12 takes for one without a value
inline __m512i times_128(__m512i x) { return _mm512_maskz_slli_epi32(0xFFFF, x, 7); }

template <int kVectors, int kCount>
inline void product(const Int8Panel& p, std::int32_t* sums) {
  __m512i high[kCount][kVectors], low[kCount][kVectors];
  for (int r = 0; r < kCount; ++r) {
    for (int v = 0; v < kVectors; ++v) high[r][v] = low[r][v] = _mm512_setzero_si512();
  }
  const std::byte* codes = p.codes;
  for (int g = 0; g < p.groups; ++g) {
    for (int v = 0; v < kVectors; ++v, codes += 64) {
      const __m512i w = _mm512_load_si512(codes);
      for (int r = 0; r < kCount; ++r) {
        const Int8Inputs& q = p.inputs[r][g];
        high[r][v] = _mm512_dpbusd_epi32(high[r][v], w, _mm512_set1_epi32(static_cast<int>(q.high)));
        low[r][v] = _mm512_dpbusd_epi32(low[r][v], w, _mm512_set1_epi32(static_cast<int>(q.low)));
      }
    }
  }
  for (int r = 0; r < kCount; ++r) {
    // Σ (w + 128)q − 128·Σ q; what overflows on the way comes back
    const __m512i offset = times_128(_mm512_set1_epi32(p.input_sums[r]));
    for (int v = 0; v < kVectors; ++v, sums += 16) {
      const __m512i all = _mm512_add_epi32(times_128(high[r][v]), low[r][v]);
      _mm512_storeu_si512(sums, _mm512_sub_epi32(all, offset));
    }
  }
}

template <int kCount>
inline void any_width(const Int8Panel& p, std::int32_t* sums) {
  switch (p.width) {
    case 64: return product<4, kCount>(p, sums);
    case 48: return product<3, kCount>(p, sums);
    case 32: return product<2, kCount>(p, sums);
    default: return product<1, kCount>(p, sums);
  }
}

}  // namespace

void vnni_int8_product(const Int8Panel& panel, std::int32_t* sums) {
  panel.count == 1 ? any_width<1>(panel, sums) : any_width<kInt8Rows>(panel, sums);
}

}  // namespace elastane
#endif
