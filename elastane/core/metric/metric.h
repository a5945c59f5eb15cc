// G: how far a direction in latent space is. A metric turns a gradient into a step, v = −G⁻¹g.
//
//   euclidean            G = I                                          the plain gradient
//   latent_covariance    G = diag(var z)⁻¹, running                     the ablation
//   learned              G = diag(s) + LLᵀ                              from the model file
//   literal              G = λI + UUᵀ, U ← βU + √(1−β²)Y(T+εI)^(−½)      the paper's eq. (1) as printed
//   sketch               G = λI + UUᵀ, UUᵀ a running average of A        Nyström; docs/science.md §1.5, §1.6
//   fixed                the sketch of the first steps, then frozen      a static preconditioner
//   conjugate_gradient   G = λI + A, k products                          inexact solve
//   exact                G = λI + A, dense                               in latent or output space, the smaller
//   kalman               G = P⁻¹ + A, P carried from step to step        the reference
//   native               the model solves for v itself                   structured latents
//
// A = JᵀWJ is the decoder's pullback (pullback.h).
#pragma once

#include <cstdint>
#include <string_view>

#include "elastane/core/base/result.h"

namespace elastane {

enum class Metric : std::uint8_t {
  automatic,  // by size, see choose_metric
  euclidean,
  fixed,
  latent_covariance,
  learned,
  literal,
  sketch,
  conjugate_gradient,
  exact,
  kalman,
  native,
};
inline constexpr int kMetrics = 11;

struct MetricOptions {
  Metric kind = Metric::automatic;
  double damping = 1e-3;        // λ: an inverse prior variance
  bool relative = true;         // λ is in units of a running mean of tr(A)/d
  int rank = 8;                 // r, of sketch, fixed and literal
  double memory = -1;           // β; below 0: .98 for literal, for the others .8, or 0 if all outputs fit the rank
  double condition_limit = 10;  // of a sketched G; λ is raised to keep it
  int products = 4;             // k, of conjugate_gradient
  int warm_up = 16;             // corrections after which fixed is frozen
  double process_noise = 1e-3;  // Q = this·I per step, of kalman; of a custom latent, per Corrector::predict
  double prior_variance = 1.0;  // P₀ = this·I, of kalman
  std::uint64_t seed = 1;       // of the probes
};

inline constexpr int kMaxRank = 32;

std::string_view name(Metric metric);
Result<Metric> parse_metric(std::string_view text);

// what `automatic` stands for: exact while the smaller of the two spaces is small, then conjugate_gradient
Metric choose_metric(int latents, int outputs);

}  // namespace elastane
