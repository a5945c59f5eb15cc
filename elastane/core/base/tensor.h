// Named arrays of numbers: what files hold, training makes and models are built from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "elastane/core/base/random.h"
#include "elastane/core/base/result.h"

namespace elastane {

using Shape = std::vector<std::int64_t>;
std::string to_string(const Shape& shape);  // (128 x 16)
std::int64_t element_count(const Shape& shape);

// a named array of the model, as files hold it and training makes it
struct Tensor {
  std::string name;
  Shape shape;
  std::vector<float> values;
};

// value of element i of a fresh tensor
using Initialiser = std::function<float(Random& random, std::size_t i)>;

struct TensorSpec {
  std::string name;
  Shape shape;
  Initialiser initialise;
  bool matrix = false;  // may be kept in bfloat16
};

// lists every tensor that is missing, unexpected or of the wrong shape, one per line; success if there are none
Status check_tensors(std::span<const TensorSpec> expected, std::span<const Tensor> found, std::string_view source);

}  // namespace elastane
