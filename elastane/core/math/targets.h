// The instruction sets that kernels are compiled for. Include it before hwy/foreach_target.h.
//
// x86-64: SSE4, AVX2, AVX-512; SSE4 is the floor, which is what "one binary" means there. ARM: NEON. SVE is left out: its
// vectors have no size that the compiler knows, so they cannot be members or elements of arrays, which the kernels use
// (docs/decisions/0030-arm.md). Everything else, and builds that ask for it: plain C++, as 128-bit vectors,
// or one value at a time with compilers before GCC 12.3.
#pragma once

#if defined(ELASTANE_PORTABLE)
#define HWY_COMPILE_ONLY_EMU128
#elif defined(__x86_64__)
#define HWY_BASELINE_TARGETS HWY_SSE4
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SCALAR | HWY_EMU128)
#elif defined(__aarch64__)
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#else
#define HWY_COMPILE_ONLY_EMU128
#endif

#include <cstdint>

#include "elastane/core/base/kernel_kinds.h"
#include "hwy/detect_targets.h"

namespace elastane {

constexpr Isa isa_of(std::int64_t target) {
  switch (target) {
    case HWY_AVX3: return Isa::avx512;
    case HWY_AVX2: return Isa::avx2;
    case HWY_SSE4: return Isa::sse4;
    case HWY_NEON: return Isa::neon;
    default: return Isa::portable;
  }
}

// what a machine must have to run the least of the compiled sets: on x86 that is checked, elsewhere the compiler already
// assumes it for the whole program (Highway asks for AES beside NEON, which no kernel uses and small boards lack)
inline constexpr std::int64_t kLeastTarget = HWY_STATIC_TARGET == HWY_SSE4 ? HWY_SSE4 : ~std::int64_t{0};

}  // namespace elastane
