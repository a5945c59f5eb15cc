// Recursion in depth: one stationary map is applied to h again and again, until the answer is proven or time is up.
//
//   h ← αh + λΦ(h)          contraction: α = 0, λ = 1      damped: α = 1 − λ      literal (FROST, arXiv 2601.19551): α = 1
//
//   flat   Φ(h) = W₂ gelu(W₁h + b₁) + b₂ + λ^H Bu                                    contracts by 1.129‖W₁‖‖W₂‖ in the 2-norm
//   grid   Φ(h) = max(I, G ⊙ c·softmax(6P)[h; max of the four neighbours' h])         by c in the sup-norm
//   line   Φ(h) = I + G ⊙ c·(softmax(6P) ⊙ S)[h; left; right]                         by c in the sup-norm
//
// Cells share their weights, so a file runs on maps of any size. I and G follow from x = Wu + b; cuts make them reach 0 and
// ±1, so a free cell loses only c per step. Grid: I = cut(1.2σ(4x − 2) − .1), G = cut(1.2σ(4x) − .1), both to [0, 1]. Line:
// I = (t − cut(t, ±¼))/¾ with t = tanh x, G = cut(1.1 tanh 2x, ±1).
//
// With L = α + λc below 1, Banach: ‖h − h*‖ ≤ ‖h − Φ(h)‖/(1 − L), wherever h comes from. The bound in the report also
// covers the rounding of Φ. A certificate is a proof about infinite depth, not about being right (docs/science.md §5.3).
//
// State, dense: h of the last step, flat [hidden], cells [channel][cell]. It is the warm start, and nothing else.
#pragma once

#include "elastane/core/allocation/scoring_network.h"
#include "elastane/core/backbone/batch.h"
#include "elastane/core/base/block_configs.h"
#include "elastane/core/math/binder.h"

namespace elastane {

inline constexpr double kGeluSlope = 1.12905;  // the largest slope of gelu, rounded up
inline constexpr int kHaltFeatures = 4, kHaltHidden = 16, kHaltQuantiles = 65;
inline constexpr int kCellHidden = 16;       // hidden units of the read-out of a cell
inline constexpr double kCellSharpness = 6;  // softmax(6P)
inline constexpr float kDeadZone = 0.25F;    // of I in a line

struct Recursion {
  RecursionConfig config;
  int width, hidden, inner, cells, features;  // features: of a cell, in and out
  StateSlot slot;

  // flat
  PackedMatrix input;       // B      [hidden] x width
  const float* offset;      // b₂     [hidden]
  PackedMatrix up;          // W₁     [inner] x hidden
  const float* up_bias;     // b₁     [inner]
  PackedMatrix down;        // W₂     [hidden] x inner
  PackedMatrix chord;       // M      [hidden] x hidden
  PackedMatrix classes;     // of the read-out that halting looks at, [classes] x hidden
  const float* class_bias;  //        [classes]
  const float* class_pull;  // ‖w_a − w_b‖ [classes][classes]: how fast a margin moves with h
  // of the rules
  ScoringNetwork halting;  // learned
  const float* ranking;    // w_s [hidden]
  double ranking_bias, ranking_threshold;
  // cells, each row for one channel
  const float *inject, *inject_bias, *gate, *gate_bias;  // [hidden][features], [hidden]
  const float* mix;                                      // c·softmax(6P) ⊙ S [hidden][taps·hidden]
  const float* soften;                                   // k of h/(|h| + k)  [hidden]
  const float *read_up, *read_up_bias;                   // [kCellHidden][2·hidden], [kCellHidden]
  const float *read_down, *read_down_bias;               // [features][kCellHidden], [features]

  double keep, gain;  // α, λ
  double drive_gain;  // λ^H
  double measured;    // what Φ contracts by, from the weights; NaN where a weight is
  double lipschitz;   // L, of a whole iteration; 1 or more: nothing can be certified

  bool flat() const { return config.shape == RecursionShape::flat; }
  int taps() const { return config.shape == RecursionShape::grid ? 2 : 3; }
  StateClasses state() const { return {.dense = flat() ? padded(hidden) : hidden * padded(cells)}; }
  int out_size() const { return flat() ? hidden : width; }
  int latents() const { return 0; }  // h follows from u; only where the iteration starts is kept

  std::int64_t drive_macs() const;      // of one row, before the iterations
  std::int64_t iteration_macs() const;  // of one row
  std::int64_t readout_macs() const;
  std::int64_t macs() const { return drive_macs() + config.depth * iteration_macs() + readout_macs(); }

  // of ‖h − h*‖, where Φ moved h by `change` and the size of h is `size`; infinite if L is not below 1
  double bound(double change, double size) const;
  // iterations after which any start within `distance` is within the tolerance; −1: there is no such number
  int worst_depth(double distance) const;
};

// what "learned" looks at; `margin` is that of the two best classes
struct HaltView {
  double margin, change, size, previous_change;
  int depth, most;
};
void halt_features(const HaltView& view, double* f);

std::size_t scratch_floats(const Recursion& block, int rows);

void project(const Recursion& block, const BlockCall& call);
void advance(const Recursion& block, const BlockCall& call, int first, int count);
void read(const Recursion& block, const BlockCall& call, int first, int count);
void finish(const Recursion& block, const BlockCall& call);
void charge(const Recursion& block, const BlockCall& call);

Register describe(const Recursion& block, Register u, Description& description);
inline bool is_described(const Recursion& block) { return block.flat(); }

// refuses weights that contract less than the configuration declares
Status check_weights(const Recursion& block);

Recursion bind(const RecursionConfig& config, int width, bool learned_start, Binder& binder);

}  // namespace elastane
