// The rival of small models: a GRU layer with a linear read-out in plain C++. Its sizes are known to the compiler, its
// weights lie in the order in which they are read, and it is compiled for this machine with fast functions.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "elastane/core/base/tensor.h"

namespace elastane::bench {

struct SmallGru {
  int inputs, hidden;
  bool readout;  // to one output; otherwise the state is the output
  int outputs() const { return readout ? 1 : hidden; }
};
inline constexpr SmallGru kSmallGrus[] = {{1, 16, true}, {1, 32, true}, {1, 64, true}, {64, 64, false}};

// random weights with PyTorch's names
std::vector<Tensor> weights_of(const SmallGru& size, std::uint64_t seed);

class PlainGru {
 public:
  virtual ~PlainGru() = default;
  // x is [steps][inputs]; y is the output after the last of them
  virtual void advance(std::span<const float> x, std::span<float> y) = 0;
};
std::unique_ptr<PlainGru> plain_gru(const SmallGru& size, std::span<const Tensor> tensors);  // of kSmallGrus

}  // namespace elastane::bench
