// Views of row-major matrices of activations: a pointer, a count of rows, a stride.
//
// Rows of activations are padded to a multiple of kLane floats. The padding holds zeros, so kernels work in whole vectors
// and have no tails.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>

namespace elastane {

// an int as a size of the standard library
constexpr std::size_t as_size(std::integral auto n) { return static_cast<std::size_t>(n); }

// n elements from `first` on
template <class T>
constexpr std::span<T> span_of(T* first, int n) {
  return {first, as_size(n)};
}

inline constexpr int kLane = 16;  // floats in the widest vector; every row is padded to a multiple of it

constexpr int padded(int n) { return (n + kLane - 1) / kLane * kLane; }

template <class T>
struct BasicRows {
  T* data = nullptr;
  int count = 0;   // rows
  int stride = 0;  // elements from one row to the next

  T* operator[](int row) const { return data + static_cast<std::ptrdiff_t>(row) * stride; }
  BasicRows slice(int first, int rows) const { return {(*this)[first], rows, stride}; }
  operator BasicRows<const T>() const { return {data, count, stride}; }
};

using Rows = BasicRows<float>;
using ConstRows = BasicRows<const float>;

// the corrector's own arithmetic is in double: one row for each direction in the latent or the output space
using DoubleRows = BasicRows<double>;
using ConstDoubleRows = BasicRows<const double>;

inline constexpr int kDoubleLane = 8;  // doubles in the widest vector; every row of double is padded to a multiple

constexpr int double_stride(int n) { return (n + kDoubleLane - 1) / kDoubleLane * kDoubleLane; }

}  // namespace elastane
