// The last part of g_φ: linear layers with an activation between them, from the residual stream to the outputs.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "elastane/core/base/block_configs.h"
#include "elastane/core/math/binder.h"
#include "elastane/core/math/kernels.h"

namespace elastane {

struct HeadLayer {
  PackedMatrix weight;
  const float* bias;
};

struct Head {
  std::vector<HeadLayer> layers;
  Activation activation;
};

std::size_t scratch_floats(const Head& head, int rows);
void read(const Head& head, const Kernels& k, ConstRows h, float* scratch, Rows y);

inline Head bind(const HeadConfig& config, int width, int outputs, Binder& binder) {
  Head head{.layers = {}, .activation = config.activation};
  std::vector<int> sizes = config.hidden;
  sizes.push_back(outputs);
  for (int previous = width, k = 0; const int next : sizes) {
    binder.enter("head." + std::to_string(k++) + ".");
    const PackedMatrix weight = binder.matrix("weight", {next}, previous);
    head.layers.push_back(
        {weight, binder.vector("bias", {next}, uniform(1.0 / std::sqrt(static_cast<double>(previous))))});
    previous = next;
  }
  return head;
}

}  // namespace elastane
