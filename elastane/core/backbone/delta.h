// A memory that is written by the delta rule (Widrow and Hoff 1960; Schlag, Irie, Schmidhuber 2021), gated (Yang, Kautz,
// Hatamizadeh 2024), or by least squares; associative_memory.h has the equations.
//
//   q, k, v = conv(W u), each behind its own convolution      q ← q/‖q‖, k ← k/‖k‖ in each head
//   β = σ(w_β u + b_β)      α = σ(w_α u + b_α)^dt, or 1 without decay
//   o = W_o norm(Mᵀq), M after the step's own write
//
// ‖x‖ stands for √(‖x‖² + size·ε), so a key of zeros stays zero and writes nothing.
//
// The published form differs so that its weights can be imported: q, k, v = silu(conv(W u)), ‖x‖ = √(‖x‖² + 10⁻⁶), q is
// divided by √keys, and α = σ(w_α u + b_α)^(dt·exp(A_log)). A gated block has o = W_o (norm(Mᵀq) ⊙ silu(W_g u)).
//
// State, dense: the last inputs of the convolutions [tap][q | k | v], then what the memory keeps aside. M and P are dense
// where every step writes, otherwise one slow row. The corrector does not move M, and has no description of this block.
#pragma once

#include "elastane/core/backbone/associative_memory.h"
#include "elastane/core/backbone/batch.h"
#include "elastane/core/base/block_configs.h"
#include "elastane/core/math/binder.h"

namespace elastane {

struct Delta {
  int width, taps;
  bool decays, is_published, is_gated;
  AssociativeMemory memory;
  StateSlot slot;

  PackedMatrix qkv;          // rows [q: heads·keys][k: heads·keys][v: heads·values]
  const float* conv_weight;  // [tap][rows of qkv], tap 0 the newest
  const float* conv_bias;    // zeros, of the published form
  PackedMatrix gates;        // rows [β: heads][α: heads]
  const float* gate_bias;    // the same
  const float* rate;         // exp(A_log) [heads], of the published form
  const float* unit;         // 1/√keys [keys]: a root-mean-square norm with it makes a unit vector
  const float* unit_query;   // the same for queries; 1/keys in the published form
  PackedMatrix gate_proj;    // [heads·values] x width
  const float* norm_weight;  // [values]
  PackedMatrix out_proj;     // [width] x heads·values

  bool is_slow() const { return !memory.writes_later(); }
  int conv_floats() const { return taps * qkv.rows; }
  int aside_at() const { return conv_floats(); }  // from the block's first float
  int store_at() const { return conv_floats() + memory.aside_floats(); }
  SlowShape slow_shape() const { return {.rows = 1, .row = memory.floats(), .most_changed = 1}; }
  StateClasses state() const {
    if (!is_slow()) return {.dense = store_at() + padded(memory.floats())};
    return {.dense = store_at(), .slow = slow_shape()};
  }
  int out_size() const { return width; }
  int latents() const { return 0; }
  std::int64_t macs() const { return read_macs() + memory.write_macs(); }
  std::int64_t read_macs() const {  // of a step that does not write
    const std::int64_t channels = memory.heads * std::int64_t{2 * memory.keys + memory.values};
    return channels * (width + taps) + std::int64_t{width} * memory.heads * (memory.values + 1 + decays) +
           memory.read_macs() + (is_gated ? std::int64_t{width} * memory.heads * memory.values : 0);
  }
};

std::size_t scratch_floats(const Delta& block, int rows);

void project(const Delta& block, const BlockCall& call);
void advance(const Delta& block, const BlockCall& call, int first, int count);
void read(const Delta& block, const BlockCall& call, int first, int count);
void finish(const Delta& block, const BlockCall& call);
void charge(const Delta& block, const BlockCall& call);

// what it holds at reset
void start(const Delta& block, float* dense, float* slow);

inline bool is_described(const Delta&) { return false; }
Register describe(const Delta& block, Register u, Description& description);

Delta bind(const DeltaConfig& config, int width, bool learned_start, Binder& binder);

}  // namespace elastane
