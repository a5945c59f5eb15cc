// Real-time code only.
// Compiled with the ARM dot product: nothing but intrinsics here, so that no function of it is linked elsewhere.
#include "elastane/core/math/int8_product.h"

#if defined(__ARM_FEATURE_DOTPROD)
#include <arm_neon.h>

namespace elastane {
namespace {

// sixteen rows
template <int kCount>
inline void product(const Int8Panel& p, const std::byte* codes, std::int32_t* sums) {
  int32x4_t high[kCount][4], low[kCount][4];
  for (int r = 0; r < kCount; ++r) {
    for (int v = 0; v < 4; ++v) high[r][v] = low[r][v] = vdupq_n_s32(0);
  }
  const uint8x16_t sign = vdupq_n_u8(128);
  for (int g = 0; g < p.groups; ++g, codes += 4 * p.width) {
    for (int v = 0; v < 4; ++v) {
      const uint8x16_t stored = vld1q_u8(reinterpret_cast<const std::uint8_t*>(codes) + 16 * v);
      const int8x16_t w = vreinterpretq_s8_u8(veorq_u8(stored, sign));
      for (int r = 0; r < kCount; ++r) {
        const Int8Inputs& q = p.inputs[r][g];
        high[r][v] = vdotq_s32(high[r][v], w, vreinterpretq_s8_u32(vdupq_n_u32(q.high)));
        low[r][v] = vdotq_s32(low[r][v], w, vreinterpretq_s8_u32(vdupq_n_u32(q.low)));
      }
    }
  }
  for (int r = 0; r < kCount; ++r) {
    for (int v = 0; v < 4; ++v) vst1q_s32(sums + r * p.width + 4 * v, vaddq_s32(vshlq_n_s32(high[r][v], 7), low[r][v]));
  }
}

}  // namespace

void dot_int8_product(const Int8Panel& panel, std::int32_t* sums) {
  for (int first = 0; first < panel.width; first += 16) {
    const std::byte* codes = panel.codes + 4 * first;
    panel.count == 1 ? product<1>(panel, codes, sums + first) : product<kInt8Rows>(panel, codes, sums + first);
  }
}

}  // namespace elastane
#endif
