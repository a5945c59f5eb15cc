// Attention over a sliding window (Vaswani et al. 2017), with grouped heads and rotary positions (Su et al. 2021).
//
//   q, k, v = W u        o = W_o softmax(q·k/√size)·v over the last `window` steps, this one included
//
// Heads may be sparse (arXiv 2601.17367): every key head has a mode (head_modes.h), fixed by the configuration or set by
// a router (head_router.h) once in `block` steps.
//
// State, ring: a KeyValueWindow; keys are turned by their own time when they are written, queries by theirs. With modes
// also, dense: the modes, and pools of the keys for the router; and where heads choose their blocks, ring: the smallest
// and the largest key of every panel, channel by channel.
#pragma once

#include <vector>

#include "elastane/core/backbone/batch.h"
#include "elastane/core/backbone/head_modes.h"
#include "elastane/core/backbone/key_pools.h"
#include "elastane/core/backbone/key_value_window.h"
#include "elastane/core/base/block_configs.h"
#include "elastane/core/math/binder.h"

namespace elastane {

struct Attention {
  int width, kv;  // kv: channels of all key heads
  AttentionShape shape;
  const double* frequency;      // radians per unit of time [size/2], or null without rotary positions
  std::vector<HeadMode> modes;  // of every key head at reset; empty without sparse modes
  bool chooses;                 // may a head be in mode `blocks`?
  StateSlot slot;

  PackedMatrix qkv;       // rows [q: width][k: kv][v: kv]
  PackedMatrix out_proj;  // [width] x width

  bool elastic() const { return shape.local > 0; }
  KeyValueWindow window() const { return {.shape = shape, .begin = slot.ring}; }
  KeyPools pools() const {
    return {.kv_heads = shape.kv_heads, .size = shape.size, .block = shape.block, .begin = slot.dense};
  }
  RingPart summaries() const;  // of one step: those of its panel
  StateClasses state() const;
  int out_size() const { return width; }
  int latents() const { return 0; }
  // with a full window; with sparse modes, where every head is full
  std::int64_t macs() const { return projection_macs() + (elastic() ? most_read_macs() : window_macs()); }
  std::int64_t projection_macs() const { return 2 * std::int64_t{width} * (width + kv); }
  std::int64_t block_macs() const { return 2 * std::int64_t{shape.block} * shape.size; }  // of one query head

 private:
  std::int64_t window_macs() const { return 2 * std::int64_t{width} * shape.window; }
  std::int64_t most_read_macs() const {
    return shape.heads * (shape.sink + shape.window / shape.block + 1) * block_macs();
  }
};

std::size_t scratch_floats(const Attention& block, int rows);

void project(const Attention& block, const BlockCall& call);
void advance(const Attention& block, const BlockCall& call, int first, int count);
void read(const Attention& block, const BlockCall& call, int first, int count);
void finish(const Attention& block, const BlockCall& call);
int together(const Attention& block, const BlockCall& call, int first);

Register describe(const Attention& block, Register u, Description& description);
void charge(const Attention& block, const BlockCall& call);

Attention bind(const AttentionConfig& config, int width, bool learned_start, Binder& binder);

}  // namespace elastane
