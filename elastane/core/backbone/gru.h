// Gated recurrent unit (Cho et al. 2014), in PyTorch's form.
//
//   r, z = σ(W_i u + b_i + W_h h + b_h)     n = tanh(W_in u + b_in + r ⊙ (W_hn h + b_hn))
//   h ← (1−ζ)n + ζh,  ζ = z^dt
//
// State, dense: h. Gates are in the order r, z, n.
#pragma once

#include "elastane/core/backbone/gated_cell.h"
#include "elastane/core/base/block_configs.h"

namespace elastane {

struct Gru : GatedCell {
  const float* start;  // h at reset, or null
  StateClasses state() const { return {.dense = padded(hidden)}; }
  int latents() const { return hidden; }
  std::int64_t macs() const { return 3 * std::int64_t{hidden} * (width + hidden + 1); }
};

void advance(const Gru& block, const BlockCall& call, int first, int count);
Register describe(const Gru& block, Register u, Description& description);

inline Gru bind(const GruConfig& config, int width, bool learned_start, Binder& binder) {
  const int h = config.hidden > 0 ? config.hidden : width;
  Gru gru{bind_gates(h, width, {h, h, h}, binder), nullptr};
  if (learned_start) gru.start = binder.vector("h0", {h}, constant(0.0));
  return gru;
}

}  // namespace elastane
