// A weight matrix in the order in which a matrix-vector product reads it.
//
// Rows are grouped in panels of kPanel; inside a panel the columns follow each other, each with its rows side by side:
//
//   panel 0: w(0..63, 0) w(0..63, 1) … w(0..63, cols-1) | panel 1: w(64..127, 0) …
//
// so y = Wx streams through memory once, front to back, with one broadcast per column and no horizontal sums. The last
// panel is as wide as what is left, rounded up to kLane; columns are padded with zeros to a multiple of four. In
// bfloat16 two neighbouring columns share a 32-bit word (even column low), so that one load, one shift and one mask
// give two vectors of float32. The layout does not depend on the instruction set.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "elastane/core/base/kernel_kinds.h"
#include "elastane/core/base/view.h"

namespace elastane {

inline constexpr int kPanel = 64;

struct PackedMatrix {
  const std::byte* data = nullptr;
  int rows = 0;  // a multiple of kLane
  int cols = 0;
  Precision precision = Precision::float32;
  // What products may skip, set where the matrix is packed: imported models are padded to the width of their blocks
  int zero_cols = 0;      // the last so many columns are zero
  bool identity = false;  // w(i, j) = 1 where i = j, else 0

  int read_cols() const { return (cols - zero_cols + 3) / 4 * 4; }  // that a product must read
  int stored_cols() const { return (cols + 3) / 4 * 4; }
  std::size_t count() const { return as_size(rows) * stored_cols(); }
  std::size_t bytes() const { return count() * (precision == Precision::float32 ? 4 : 2); }

  // index of element (row, col) in the packed order
  std::size_t at(int row, int col) const {
    const int first = row / kPanel * kPanel;
    const int width = rows - first < kPanel ? rows - first : kPanel;
    const std::size_t panel = as_size(first) * stored_cols();
    if (precision == Precision::float32) return panel + as_size(col) * width + (row - first);
    return panel + (as_size(col / 2) * width + (row - first)) * 2 + col % 2;
  }
};

// bfloat16 is the upper half of a float32; rounding is to nearest, ties to even
inline std::uint16_t to_bfloat16(float value) {
  std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7FFFFFFFU) > 0x7F800000U) return static_cast<std::uint16_t>((bits >> 16) | 0x40U);  // quiet NaN
  bits += 0x7FFFU + ((bits >> 16) & 1U);
  return static_cast<std::uint16_t>(bits >> 16);
}
inline float from_bfloat16(std::uint16_t half) { return std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16); }

// element (row, col) as a float, for tests and references
inline float element(const PackedMatrix& w, int row, int col) {
  const std::size_t i = w.at(row, col);
  if (w.precision == Precision::float32) return reinterpret_cast<const float*>(w.data)[i];
  return from_bfloat16(reinterpret_cast<const std::uint16_t*>(w.data)[i]);
}

}  // namespace elastane
