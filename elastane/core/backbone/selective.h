// Diagonal selective state-space block, the backbone of the GeoSSM paper: z follows a drive, as fast as the input says.
//
//   Δ = dt·softplus(W_δ u + b_δ)     a = e^(−Δ ⊙ exp(log_a))     z ← a ⊙ z + (1−a) ⊙ (W_B u + b_B)     o = z
//
// State, dense: z. Given u, a step is affine in z, with the diagonal Jacobian a.
#pragma once

#include <algorithm>
#include <cmath>

#include "elastane/core/backbone/batch.h"
#include "elastane/core/base/block_configs.h"
#include "elastane/core/math/binder.h"

namespace elastane {

struct Selective {
  int width, hidden;
  StateSlot slot;

  PackedMatrix weight;  // rows [δ: hidden][B: hidden]
  const float* bias;    // the same
  const float* a;       // −exp(log_a)·log2(e) [hidden]
  const float* start;   // z at reset [hidden], or null

  StateClasses state() const { return {.dense = padded(hidden)}; }
  int out_size() const { return hidden; }
  int latents() const { return hidden; }
  std::int64_t macs() const { return 2 * std::int64_t{hidden} * (width + 1); }
};

std::size_t scratch_floats(const Selective& block, int rows);

void project(const Selective& block, const BlockCall& call);
void advance(const Selective& block, const BlockCall& call, int first, int count);
void read(const Selective& block, const BlockCall& call, int first, int count);
void finish(const Selective& block, const BlockCall& call);

Register describe(const Selective& block, Register u, Description& description);

inline Selective bind(const SelectiveConfig& config, int width, bool learned_start, Binder& binder) {
  Selective s{};
  s.width = width;
  s.hidden = config.hidden > 0 ? config.hidden : width;
  const int h = s.hidden;
  s.weight = binder.matrix_of({"delta.weight", "input.weight"}, {h, h}, width);
  // softplus(bias) = 1/τ, the time constants τ spread evenly on a log scale between 4 and 256 steps
  const auto delta_bias = binder.tensor("delta.bias", {h}, [](Random& random, std::size_t) {
    const double rate = std::exp(random.uniform(-std::log(256.0), -std::log(4.0)));
    return static_cast<float>(rate + std::log(-std::expm1(-rate)));
  });
  const auto input_bias = binder.tensor("input.bias", {h}, uniform(1.0 / std::sqrt(static_cast<double>(width))));
  s.bias = binder.planes(2, h, [&](int part, int i) { return part == 0 ? delta_bias[i] : input_bias[i]; });
  const auto log_a = binder.tensor("log_a", {h}, constant(0.0));
  s.a = binder.planes(1, h, [&](int, int i) {
    // finite, so that Δ = 0 stands still whatever the weight
    return -std::min<double>(std::exp(static_cast<double>(log_a[i])), kStateLimit) * 1.4426950408889634;
  });
  if (learned_start) s.start = binder.vector("h0", {h}, constant(0.0));
  return s;
}

}  // namespace elastane
