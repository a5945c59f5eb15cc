// Position-wise network without a state, plain or gated: the other half of a Transformer layer.
//
//   o = down(act(up u + b)) + b        gated: o = down(act(gate u + b) ⊙ (up u + b)) + b
#pragma once

#include <cmath>

#include "elastane/core/backbone/batch.h"
#include "elastane/core/base/block_configs.h"
#include "elastane/core/math/binder.h"

namespace elastane {

struct Mlp {
  int width, hidden;
  Activation activation;
  bool gated;
  StateSlot slot;

  PackedMatrix up;
  const float* up_bias;
  PackedMatrix gate;
  const float* gate_bias;
  PackedMatrix down;
  const float* down_bias;

  StateClasses state() const { return {}; }
  int out_size() const { return width; }
  int latents() const { return 0; }
  std::int64_t macs() const { return std::int64_t{hidden} * width * (gated ? 3 : 2); }
};

std::size_t scratch_floats(const Mlp& block, int rows);

void project(const Mlp& block, const BlockCall& call);
void advance(const Mlp& block, const BlockCall& call, int first, int count);
void read(const Mlp& block, const BlockCall& call, int first, int count);
void finish(const Mlp& block, const BlockCall& call);

Register describe(const Mlp& block, Register u, Description& description);

inline Mlp bind(const MlpConfig& config, int width, bool /*learned_start*/, Binder& binder) {
  Mlp m{};
  m.width = width;
  m.hidden = config.hidden > 0 ? config.hidden : 4 * width;
  m.activation = config.activation;
  m.gated = config.gated;
  const auto start = uniform(1.0 / std::sqrt(static_cast<double>(width)));
  m.up = binder.matrix("up.weight", {m.hidden}, width);
  m.up_bias = binder.vector("up.bias", {m.hidden}, start);
  if (m.gated) {
    m.gate = binder.matrix("gate.weight", {m.hidden}, width);
    m.gate_bias = binder.vector("gate.bias", {m.hidden}, start);
  }
  m.down = binder.matrix("down.weight", {width}, m.hidden);
  m.down_bias = binder.vector("down.bias", {width}, uniform(1.0 / std::sqrt(static_cast<double>(m.hidden))));
  return m;
}

}  // namespace elastane
