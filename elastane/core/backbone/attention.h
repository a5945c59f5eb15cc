// Attention over a sliding window (Vaswani et al. 2017), with grouped heads and rotary positions (Su et al. 2021).
//
//   q, k, v = W u        o = W_o softmax(q·k/√size)·v over the last `window` steps, this one included
//
// State, ring: a KeyValueWindow, of which step t writes slot t mod window. Keys are turned by their own time when they
// are written; queries by theirs.
#pragma once

#include "elastane/core/backbone/batch.h"
#include "elastane/core/backbone/key_value_window.h"
#include "elastane/core/base/block_configs.h"
#include "elastane/core/math/binder.h"

namespace elastane {

struct Attention {
  int width, kv;  // kv: channels of all key heads
  AttentionShape shape;
  const double* frequency;  // radians per unit of time [size/2], or null without rotary positions
  StateSlot slot;

  PackedMatrix qkv;       // rows [q: width][k: kv][v: kv]
  PackedMatrix out_proj;  // [width] x width

  KeyValueWindow window() const { return {.shape = shape, .channels = kv, .begin = slot.ring}; }
  StateClasses state() const;
  int out_size() const { return width; }
  int latents() const { return 0; }
  std::int64_t macs() const { return 2 * std::int64_t{width} * (width + kv + shape.window); }  // with a full window
};

std::size_t scratch_floats(const Attention& block, int rows);

void project(const Attention& block, const BlockCall& call);
void advance(const Attention& block, const BlockCall& call, int first, int count);
void read(const Attention& block, const BlockCall& call, int first, int count);
void finish(const Attention& block, const BlockCall& call);

Register describe(const Attention& block, Register u, Description& description);
void charge(const Attention& block, const BlockCall& call);

Attention bind(const AttentionConfig& config, int width, bool learned_start, Binder& binder);

}  // namespace elastane
