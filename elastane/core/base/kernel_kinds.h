// Choices that configurations and kernels share: instruction set, precision, activation, norm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace elastane {

// instruction sets that the kernels can be asked to use; `portable` is plain C++, for processors without kernels of their
// own (cmake -DELASTANE_PORTABLE=ON)
enum class Isa : std::uint8_t { automatic, sse4, avx2, avx512, neon, portable };
inline constexpr Isa kEachIsa[] = {Isa::sse4, Isa::avx2, Isa::avx512, Isa::neon, Isa::portable};

// of matrices; everything else is float32. int8: one scale per row, and products with inputs rounded to 15 bits
enum class Precision : std::uint8_t { float32, bfloat16, int8 };
constexpr std::string_view name(Precision precision) {
  constexpr std::string_view kNames[] = {"float32", "bfloat16", "int8"};
  return kNames[static_cast<std::size_t>(precision)];
}

enum class Activation : std::uint8_t { none, tanh, silu, gelu };
enum class Norm : std::uint8_t { none, rms, layer };

}  // namespace elastane
