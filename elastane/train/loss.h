// The loss of a training: a weighted sum of terms, over the targets that are not missing.
#pragma once

#include <ATen/ATen.h>

#include <string>
#include <string_view>
#include <vector>

#include "elastane/core/base/result.h"

namespace elastane::train {

enum class LossKind {
  squared,        // (y − t)²
  absolute,       // |y − t|
  huber,          // ½(y − t)² within `width`, linear beyond
  cross_entropy,  // −Σ t log softmax(y), a row at a time; t are probabilities, or one-hot
};

struct LossTerm {
  LossKind kind = LossKind::squared;
  double weight = 1;
  double width = 1;  // of huber
};

// "squared", "huber:0.5", "squared+0.1*absolute"
Result<std::vector<LossTerm>> parse_loss(std::string_view text);
std::string to_string(const std::vector<LossTerm>& terms);

// A sum and the number of targets in it, so that parts of a batch can be put together exactly.
struct LossSum {
  at::Tensor sum;    // scalar, in the graph
  at::Tensor count;  // scalar, double
};
LossSum loss(const std::vector<LossTerm>& terms, const at::Tensor& y, const at::Tensor& target);

// σ_j = √(mean (y_j − t_j)²), the likelihood's maximum: the decoder's noise on held-out data, from sums
struct NoiseSums {
  at::Tensor squares;  // (outputs), double
  at::Tensor counts;   // (outputs), double
};
NoiseSums noise_sums(const at::Tensor& y, const at::Tensor& target);
std::vector<double> noise(const NoiseSums& sums);

}  // namespace elastane::train
