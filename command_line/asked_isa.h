// The instruction set that the user asks for: ELASTANE_ISA=sse4|avx2|avx512|neon|portable. The library does
// not read the environment.
#pragma once

#include "elastane/core/math/kernels.h"

namespace elastane::command_line {

// automatic if the variable is not set; throws if it has another value
Isa asked_isa();

}  // namespace elastane::command_line
