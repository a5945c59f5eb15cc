// What a stream's corrector moves: the state of recurrent blocks, and coordinates that last.
#pragma once

#include <vector>

namespace elastane {

// Coordinates that last, after the latents in this order. With raw = W f + b the head's last layer:
//   y = (1 + gain) ⊙ (raw + Σ_j p_j (c_jᵀ f)) + bias       p_j fixed orthonormal directions of the outputs
//   x̂ ← (1 + gain) ⊙ x̂ + bias                              before the encoder
//   dt ← dt·e^scale
struct PersistentLayout {
  bool output_gain = false, output_bias = false;
  int readout_rank = 0;
  bool input_gain = false, input_bias = false;
  int adapted_inputs = 0;  // only the first so many inputs have those two; 0: all
  bool time_scale = false;

  bool adapts_input() const { return input_gain || input_bias; }
};

struct PersistentOptions {
  PersistentLayout coordinates;   // none: nothing lasts
  double latent_variance = 1e-2;  // Pz: the variance of z that c does not explain; λ is its inverse
  double variance = 1e-2;         // Pc at the start, of every coordinate
  double noise = 1e-6;            // Q: the variance of a coordinate's drift per step
  // Both per coordinate, in the order of PersistentLayout; empty: as above. A coordinate with almost no variance and no
  // noise stays where it is.
  std::vector<double> variances = {}, noises = {};
  double leak = 1.0;  // ρ
  // Lasting surprise means change: while the running mean of eᵀ(JPJᵀ + R)⁻¹e, in units of its expectation, is above
  // `alarm`, Pc grows in every step by the share 1/alarm_memory of its start. 0: never. Needs `accumulate`; the kalman
  // metric has no alarm
  double alarm = 0, alarm_memory = 50;
  bool accumulate = true;  // Pc shrinks with every correction; otherwise it stays as at the start
};

struct LatentOptions {
  bool top_block_only = false;  // z is the state of the top recurrent block alone
  int judged = 0;               // objectives see and judge the first so many outputs; 0: all
  // The share of past corrections of z that every step takes back, to first order through the step's own derivative. A
  // correction by an observation is information and may stay; one by a task says what is wanted now, and would wear out
  // what the latent remembers (docs/decisions/0014)
  double fade = 0;
  PersistentOptions persistent;  // coordinates that last, beside z
};

}  // namespace elastane
