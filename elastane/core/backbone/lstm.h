// Long short-term memory (Hochreiter and Schmidhuber 1997), in PyTorch's form.
//
//   i, f, o = σ(·), g = tanh(·) of W_i u + b_i + W_h h + b_h
//   c ← φc + ((1−φ)/(1−f))·i ⊙ g,  φ = f^dt     h ← o ⊙ tanh(c)
//
// State, dense: h, then c. Gates are in the order i, f, g, o.
#pragma once

#include "elastane/core/backbone/gated_cell.h"
#include "elastane/core/base/block_configs.h"

namespace elastane {

struct Lstm : GatedCell {
  const float *start_h, *start_c;  // at reset, or null
  StateClasses state() const { return {.dense = 2 * padded(hidden)}; }
  int latents() const { return 2 * hidden; }
  std::int64_t macs() const { return 4 * std::int64_t{hidden} * (width + hidden + 1); }
};

void advance(const Lstm& block, const BlockCall& call, int first, int count);
Register describe(const Lstm& block, Register u, Description& description);

inline Lstm bind(const LstmConfig& config, int width, bool learned_start, Binder& binder) {
  const int h = config.hidden > 0 ? config.hidden : width;
  Lstm lstm{bind_gates(h, width, {h, h, h, h}, binder), nullptr, nullptr};
  if (learned_start) {
    lstm.start_h = binder.vector("h0", {h}, constant(0.0));
    lstm.start_c = binder.vector("c0", {h}, constant(0.0));
  }
  return lstm;
}

}  // namespace elastane
