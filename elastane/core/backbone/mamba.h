// Selective state-space block (Gu and Dao 2023): short convolution, input-dependent step, diagonal state.
//
//   [x; z] = in_proj u          x ← silu(conv(x) + b)         [δ; B; C] = x_proj x
//   Δ = dt·softplus(dt_proj δ + b)          s ← e^(ΔA)s + (Δ ⊙ x)B          o = out_proj((C·s + D ⊙ x) ⊙ silu(z))
//
// State, dense: the last inputs of the convolution, this one included [tap][channel], then s [state][channel].
#pragma once

#include <cmath>

#include "elastane/core/backbone/batch.h"
#include "elastane/core/base/block_configs.h"
#include "elastane/core/math/binder.h"

namespace elastane {

struct Mamba {
  int width, inner, states, taps, rank;
  StateSlot slot;

  PackedMatrix in_proj;      // rows [x: inner][z: inner]
  const float* conv_weight;  // [tap][inner], tap 0 the newest
  const float* conv_bias;    // [inner]
  PackedMatrix x_proj;       // rows [δ: rank][B: states][C: states]
  PackedMatrix dt_proj;      // [inner] x rank
  const float* dt_bias;      // [inner]
  const float* a;            // [state][inner], A·log2(e)
  const float* skip;         // D [inner]
  PackedMatrix out_proj;     // [width] x inner
  const float* start;        // s at reset [state][inner], or null

  int conv_floats() const { return taps * padded(inner); }
  StateClasses state() const { return {.dense = conv_floats() + states * padded(inner)}; }
  int out_size() const { return width; }
  int latents() const { return inner * states; }
  std::int64_t macs() const {  // multiply-adds of one step, exponentials not counted
    return std::int64_t{inner} * (3 * width + taps + 2 * rank + 2 * states + 4 * states + 2);
  }
};

// scratch of one call
struct MambaScratch {
  Rows xz;     // [x; z] before the convolution
  Rows x;      // after it
  Rows dbc;    // [δ; B; C]
  Rows delta;  // Δ
  Rows y;      // C·s + D ⊙ x, then gated
};
MambaScratch scratch_of(const Mamba& block, float* scratch, int rows);
std::size_t scratch_floats(const Mamba& block, int rows);

void project(const Mamba& block, const BlockCall& call);
void advance(const Mamba& block, const BlockCall& call, int first, int count);
void read(const Mamba& block, const BlockCall& call, int first, int count);
void finish(const Mamba& block, const BlockCall& call);

Register describe(const Mamba& block, Register u, Description& description);

inline Mamba bind(const MambaConfig& config, int width, bool learned_start, Binder& binder) {
  Mamba m{};
  m.width = width;
  m.inner = config.expand * width;
  m.states = config.state;
  m.taps = config.conv;
  m.rank = config.dt_rank > 0 ? config.dt_rank : (width + 15) / 16;
  m.in_proj = binder.matrix("in_proj.weight", {m.inner, m.inner}, width);
  const auto conv = binder.tensor("conv1d.weight", {m.inner, 1, m.taps}, uniform(1.0 / std::sqrt(m.taps)));
  m.conv_weight = binder.planes(m.taps, m.inner, [&](int k, int i) { return conv[(i + 1) * m.taps - 1 - k]; });
  m.conv_bias = binder.vector("conv1d.bias", {m.inner}, uniform(1.0 / std::sqrt(m.taps)));
  m.x_proj = binder.matrix("x_proj.weight", {m.rank, m.states, m.states}, m.inner);
  m.dt_proj = binder.matrix("dt_proj.weight", {m.inner}, m.rank);
  // softplus(bias) spread evenly on a log scale between .001 and .1
  m.dt_bias = binder.vector("dt_proj.bias", {m.inner}, [](Random& random, std::size_t) {
    const double step = std::exp(random.uniform(std::log(0.001), std::log(0.1)));
    return static_cast<float>(step + std::log(-std::expm1(-step)));
  });
  const auto a_log = binder.tensor("A_log", {m.inner, m.states}, [n = m.states](Random&, std::size_t i) {
    return static_cast<float>(std::log(1.0 + static_cast<double>(i % n)));
  });
  m.a = binder.planes(m.states, m.inner, [&](int n, int i) {
    return -std::exp(static_cast<double>(a_log[i * m.states + n])) * 1.4426950408889634;
  });
  m.skip = binder.vector("D", {m.inner}, constant(1.0));
  m.out_proj = binder.matrix("out_proj.weight", {width}, m.inner);
  if (learned_start) {
    const auto h0 = binder.tensor("h0", {m.inner, m.states}, constant(0.0));
    m.start = binder.planes(m.states, m.inner, [&](int n, int i) { return h0[i * m.states + n]; });
  }
  return m;
}

}  // namespace elastane
