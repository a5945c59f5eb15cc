// Recursions whose weights contract by what they declare, their states, and the naive iteration in double.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "elastane/core/backbone/recursion.h"
#include "elastane/core/network/network.h"
#include "tests/core/models.h"

namespace elastane {

using Vector64 = std::vector<double>;

// ‖W‖₂ of rows x cols, by power iteration to convergence
inline double norm_of(const std::vector<float>& w, std::size_t rows, std::size_t cols) {
  Vector64 x(cols, 1.0), y(rows);
  x[0] = 1.5;
  double norm = 0;
  for (int k = 0; k < 500; ++k) {
    double size = 0;
    for (std::size_t r = 0; r < rows; ++r) {
      y[r] = 0;
      for (std::size_t c = 0; c < cols; ++c) y[r] += w[r * cols + c] * x[c];
    }
    for (std::size_t c = 0; c < cols; ++c) {
      x[c] = 0;
      for (std::size_t r = 0; r < rows; ++r) x[c] += w[r * cols + c] * y[r];
      size += x[c] * x[c];
    }
    norm = std::sqrt(std::sqrt(size));
    for (double& value : x) value /= std::sqrt(size);
  }
  return norm;
}

inline Tensor& tensor_of(std::vector<Tensor>& tensors, const std::string& end) {
  return *std::ranges::find_if(tensors, [&](const Tensor& t) { return t.name.ends_with("." + end); });
}

inline void scale_to(Tensor& tensor, double norm) {
  const double found =
      norm_of(tensor.values, static_cast<std::size_t>(tensor.shape[0]), static_cast<std::size_t>(tensor.shape[1]));
  for (float& value : tensor.values) value = static_cast<float>(value * norm / found * (1 - 1e-6));
}

// a model that is one recursion: what goes in is u, what comes out is h, or the read-out of cells
inline ModelConfig lone_recursion(const RecursionConfig& kind, int width) {
  ModelConfig config{.inputs = width, .outputs = width, .width = width, .ends = Ends::none, .norm = Norm::none};
  config.blocks = {{.kind = kind, .norm = Norm::none, .residual = false}};
  return config;
}

// random weights that use all of the declared constant
inline std::vector<Tensor> strong_tensors(const ModelConfig& config, std::uint64_t seed) {
  std::vector<Tensor> tensors = random_tensors(config, seed);
  const auto& kind = std::get<RecursionConfig>(config.blocks.back().kind);
  Random random(seed + 17);
  for (Tensor& t : tensors) {
    if (t.name.ends_with("bias") || t.name.ends_with("offset")) {
      for (float& value : t.values) value = static_cast<float>(0.3 * random.normal());
    }
    if (t.name.ends_with("mix.logits") || t.name.ends_with("mix.signs")) {
      for (float& value : t.values) value = static_cast<float>(random.uniform(-1, 1));
    }
  }
  if (kind.shape == RecursionShape::flat && kind.form != RecursionForm::literal) {
    scale_to(tensor_of(tensors, "up.weight"), 1 / kGeluSlope);
    scale_to(tensor_of(tensors, "down.weight"), kind.lipschitz);
  }
  return tensors;
}

inline Model recursion_of(const RecursionConfig& kind, int width, std::uint64_t seed = 3) {
  const ModelConfig config = lone_recursion(kind, width);
  return Model::create(config, strong_tensors(config, seed), {.isa = test_isa()}).value();
}

// h without its padding
inline Vector64 state_of(const Stream& stream) {
  const auto& block = std::get<Recursion>(stream.model().network().layers.back().block);
  const int n = block.flat() ? block.hidden : block.cells, rows = block.flat() ? 1 : block.hidden;
  Vector64 h;
  for (int r = 0; r < rows; ++r) {
    for (int i = 0; i < n; ++i)
      h.push_back(dense_of(stream)[static_cast<std::size_t>(block.slot.dense + r * padded(n) + i)]);
  }
  return h;
}

inline double distance(const Vector64& a, const Vector64& b, bool sup) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double apart = std::fabs(a[i] - b[i]);
    sum = sup ? std::max(sum, apart) : sum + apart * apart;
  }
  return sup ? sum : std::sqrt(sum);
}

inline std::vector<float> random_input(Random& random, int n, double size = 1) {
  std::vector<float> x(static_cast<std::size_t>(n));
  for (float& value : x) value = static_cast<float>(size * random.normal());
  return x;
}

}  // namespace elastane
