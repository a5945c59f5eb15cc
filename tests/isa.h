// The instruction set that tests run on: ELASTANE_ISA=sse4|avx2|avx512|neon|portable, else the machine's best.
#pragma once

#include <cstdlib>

#include "elastane/core/math/kernels.h"

namespace elastane {

inline Isa test_isa() {
  const char* asked = std::getenv("ELASTANE_ISA");
  return asked == nullptr ? Isa::automatic : parse_isa(asked).value();
}

}  // namespace elastane
