// A choice among alternatives in the graph: hard in value, soft in derivative.
#pragma once

#include <ATen/ATen.h>

#include "elastane/core/base/random.h"

namespace elastane::train {

// the value of `hard`, the derivative of `soft`
inline at::Tensor straight_through(const at::Tensor& hard, const at::Tensor& soft) {
  return hard + soft - soft.detach();
}

// −log(−log u), in the shape of scores in double                                          Jang, Gu, Poole 2017
at::Tensor gumbel_noise(const at::Tensor& scores, Random& random);

// one-hot rows, drawn with probability softmax(scores); derivatives are those of softmax((scores + noise)/temperature)
at::Tensor gumbel_choice(const at::Tensor& scores, double temperature, Random& random);

}  // namespace elastane::train
