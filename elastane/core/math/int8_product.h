// Sums of products of int8 weights with rounded inputs, exact in int32: every instruction set gives the same.
//
// An input q lies within ±16,383. Four of them take sixteen bytes, so that each kind of instruction finds its own form.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace elastane {

inline constexpr int kMostInput = 16383;
inline constexpr int kInt8Columns = 1024;  // of one sum at most: 1024·127·16383 < 2³¹
inline constexpr int kInt8Rows = 2;        // inputs that share one pass over the weights

// q₀ … q₃ in the forms that instructions want: signed high bytes q >> 7 and low bytes q & 127; 16 bits each
struct Int8Inputs {
  std::uint32_t low, high;  // of q₀ q₁ q₂ q₃
  std::uint32_t even, odd;  // q₀ q₂ and q₁ q₃
};

// one panel of `width` rows (16, 32, 48 or 64) by 4·groups columns, and the inputs for it
struct Int8Panel {
  const std::byte* codes;  // as PackedMatrix keeps them: plus 128
  int width, groups;
  int count;  // of inputs: 1 or kInt8Rows
  const Int8Inputs* inputs[kInt8Rows];
  std::int32_t input_sums[kInt8Rows];  // Σ q
};

using Int8Product = void (*)(const Int8Panel& panel, std::int32_t* sums);  // sums [count][width]

// by instructions that not every machine of an instruction set has; defined in builds for processors of that kind
void vnni_int8_product(const Int8Panel& panel, std::int32_t* sums);  // AVX-512 VNNI
void dot_int8_product(const Int8Panel& panel, std::int32_t* sums);   // the ARM dot product

// the one of them that this machine has, or null; kernels() looks for it
inline constinit std::atomic<Int8Product> machine_int8_product = nullptr;
Int8Product find_machine_int8_product();

}  // namespace elastane
