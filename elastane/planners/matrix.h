// A matrix of doubles that allocates once: row-major, without padding, copied by value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "elastane/core/base/view.h"

namespace elastane::planners {

class Matrix {
 public:
  Matrix() = default;
  Matrix(int rows, int columns)
      : rows_(rows), columns_(columns), values_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)) {}

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  std::span<double> values() { return values_; }
  std::span<const double> values() const { return values_; }
  std::span<double> row(int r) { return values().subspan(place(r), static_cast<std::size_t>(columns_)); }
  std::span<const double> row(int r) const { return values().subspan(place(r), static_cast<std::size_t>(columns_)); }

  DoubleRows view() { return {values_.data(), rows_, columns_}; }
  ConstDoubleRows view() const { return {values_.data(), rows_, columns_}; }
  void fill(double value) { std::fill(values_.begin(), values_.end(), value); }

 private:
  std::size_t place(int r) const { return static_cast<std::size_t>(r) * static_cast<std::size_t>(columns_); }

  int rows_ = 0, columns_ = 0;
  std::vector<double> values_;
};

}  // namespace elastane::planners
