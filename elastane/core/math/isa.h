// Instruction sets that the kernels can be asked to use.
#pragma once

#include <cstdint>

namespace elastane {

enum class Isa : std::uint8_t { automatic, sse4, avx2, avx512 };

}  // namespace elastane
