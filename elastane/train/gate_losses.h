// The loss of a gate: five methods to learn a choice of depth from the outcome of every depth.
//
//   marginal   Σ_k p_k (J_k + T log p_k), p = softmax(o)           exact over depths, no noise (docs/science.md §2.4)
//   oracle     −log p_K*, K* = argmin_k J_k                        classification
//   gumbel     J of a drawn depth, straight-through                Jang, Gu, Poole 2017
//   ponder     Σ_k p_k J_k + β KL(p ‖ Geom), p_k = h_k Π(1 − h_j)   PonderNet: Banino, Balaguer, Blundell 2021
//   act        Σ_k p_k ℓ_k + τ(N + R), p_k = h_k up to Σh ≥ .99     Graves 2016
//
// J_k = ℓ_k + λc_k. The same price λ means the same in all of them: ACT's τ is λ for a mean micro-step.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <string_view>

#include "elastane/core/base/random.h"
#include "elastane/core/gate/learned_gate.h"

namespace elastane::train {

enum class GateMethod : std::uint8_t { marginal, oracle, gumbel, ponder, act };
inline constexpr GateMethod kGateMethods[] = {GateMethod::marginal, GateMethod::oracle, GateMethod::gumbel,
                                              GateMethod::ponder, GateMethod::act};
std::string_view name(GateMethod method);
// the meaning of the scores of a gate that was trained with it
GateReadout readout_of(GateMethod method);

struct GateLossOptions {
  GateMethod method = GateMethod::marginal;
  double temperature = 1.0;  // of gumbel
  // T of marginal at first, in units of the mean difference between depths; it falls to 0 half-way. Without it, a depth
  // that was given up early keeps no probability and is never tried again
  double entropy = 0.2;
  double divergence = 0.01;  // β of ponder, in the same units
  double halting = 0.2;      // λ_p of ponder's geometric prior
};

// examples in units of the mean difference between depths, so that rates and β mean the same in every world
struct DepthCosts {
  at::Tensor losses;  // ℓ            (examples, K_max + 1)
  at::Tensor priced;  // λc           (K_max + 1)
};

// the mean over rows of o, (examples, K_max + 1)
at::Tensor gate_loss(const at::Tensor& o, const DepthCosts& costs, const GateLossOptions& options, Random& random);

}  // namespace elastane::train
