// Choices that configurations and kernels share: instruction set, precision, activation, norm.
#pragma once

#include <cstdint>

namespace elastane {

// instruction sets that the kernels can be asked to use
enum class Isa : std::uint8_t { automatic, sse4, avx2, avx512 };

// of matrices; everything else is float32
enum class Precision : std::uint8_t { float32, bfloat16 };

enum class Activation : std::uint8_t { none, tanh, silu, gelu };
enum class Norm : std::uint8_t { none, rms, layer };

}  // namespace elastane
