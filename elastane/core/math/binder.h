// How named tensors become a model's weights: every block declares its tensors to a Binder and gets views in return.
//
// The declaration runs twice. The first pass records names and shapes and adds up the sizes. The second pass makes the
// same calls in the same order and fills one aligned block. So what a model needs is declared once, and weights lie in
// memory in the order in which a step reads them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "elastane/core/base/result.h"
#include "elastane/core/base/tensor.h"
#include "elastane/core/math/packed_matrix.h"

namespace elastane {

class Buffer;

class Binder {
 public:
  explicit Binder(Precision precision) : precision_(precision) {}               // first pass
  Binder(Precision precision, std::span<const Tensor> tensors, Buffer& block);  // second pass

  // names declared from here on begin with `prefix`
  void enter(std::string prefix) { prefix_ = std::move(prefix); }

  // a matrix of the file, packed; rows come in groups, each padded to kLane; fresh values lie within ±1/√cols, unless
  // another start is given
  PackedMatrix matrix(std::string_view name, std::initializer_list<int> groups, int cols, Initialiser initialise = {});
  // several matrices of the file, each a group, packed as one
  PackedMatrix matrix_of(std::initializer_list<std::string_view> names, std::initializer_list<int> groups, int cols);

  // a vector of the file, float32, in padded groups
  const float* vector(std::string_view name, std::initializer_list<int> groups, Initialiser initialise);

  // a tensor of the file from which other values are derived; empty in the first pass
  std::span<const float> tensor(std::string_view name, Shape shape, Initialiser initialise, bool matrix = false);

  // `rows` padded rows of `n` floats, filled by value(row, i)
  template <class Value>
  const float* planes(int rows, int n, Value value) {
    float* room = this->room(as_size(rows) * padded(n));
    for (int r = 0; room != nullptr && r < rows; ++r) {
      for (int i = 0; i < n; ++i) room[as_size(r) * padded(n) + i] = static_cast<float>(value(r, i));
    }
    return room;
  }

  // `n` doubles, filled by value(i)
  template <class Value>
  const double* doubles(int n, Value value) {
    auto* room = reinterpret_cast<double*>(take(as_size(n) * sizeof(double)));
    for (int i = 0; room != nullptr && i < n; ++i) room[i] = value(i);
    return room;
  }

  const std::vector<TensorSpec>& specs() const { return specs_; }
  std::size_t bytes() const { return used_; }

 private:
  PackedMatrix pack(std::span<const std::span<const float>> groups, std::span<const int> group_rows, int cols);
  std::byte* take(std::size_t bytes);
  float* room(std::size_t floats) { return reinterpret_cast<float*>(take(floats * sizeof(float))); }

  Precision precision_;
  std::span<const Tensor> tensors_;
  std::byte* block_ = nullptr;
  std::string prefix_;
  std::vector<TensorSpec> specs_;
  std::size_t used_ = 0;
};

// common starting values
Initialiser uniform(double bound);
Initialiser constant(double value);

}  // namespace elastane
