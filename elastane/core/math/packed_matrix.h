// A weight matrix in the order in which a matrix-vector product reads it.
//
// Rows are grouped in panels of kPanel; inside a panel the columns follow each other, each with its rows side by side:
//
//   panel 0: w(0..63, 0) w(0..63, 1) … w(0..63, cols-1) | panel 1: w(64..127, 0) …
//
// so y = Wx streams through memory once, front to back, with one broadcast per column and no horizontal sums. The last
// panel is as wide as what is left, rounded up to kLane; columns are padded with zeros to a multiple of four. In
// bfloat16 two neighbouring columns share a 32-bit word (even column low), so that one load, one shift and one mask
// give two vectors of float32. In int8 four neighbouring columns share a word, as instructions for dot products want
// them, each as its code plus 128, and the scales of the rows follow. The layout does not depend on the instruction set.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "elastane/core/base/kernel_kinds.h"
#include "elastane/core/base/view.h"

namespace elastane {

inline constexpr int kPanel = 64;
inline constexpr int kZeroCode = 128;  // how int8 keeps a zero

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
  std::size_t bytes() const {
    switch (precision) {
      case Precision::float32: return count() * 4;
      case Precision::bfloat16: return count() * 2;
      case Precision::int8: break;
    }
    return count() + as_size(rows) * sizeof(float);
  }

  // int8 only: w(row, col) = scales()[row]·code
  const float* scales() const { return reinterpret_cast<const float*>(data + count()); }

  // index of element (row, col) in the packed order
  std::size_t at(int row, int col) const {
    const int first = row / kPanel * kPanel;
    const int width = rows - first < kPanel ? rows - first : kPanel;
    const std::size_t panel = as_size(first) * stored_cols();
    const int together = precision == Precision::float32 ? 1 : precision == Precision::bfloat16 ? 2 : 4;
    return panel + (as_size(col / together) * width + (row - first)) * together + col % together;
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
  if (w.precision == Precision::bfloat16) return from_bfloat16(reinterpret_cast<const std::uint16_t*>(w.data)[i]);
  return w.scales()[row] * static_cast<float>(static_cast<int>(w.data[i]) - kZeroCode);
}

// Writes row `row`, rounded to the precision of the matrix, with its padding, to `data`, which w is a view of. In int8 the
// largest entry becomes ±127; a row with an entry that is not finite gets the scale NaN.
void pack_row(const PackedMatrix& w, std::byte* data, int row, std::span<const float> values);

// the entries of a matrix as they would be in memory, row by row
void round_rows(Precision precision, int cols, std::span<float> values);

}  // namespace elastane
