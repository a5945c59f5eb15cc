// Learns G = diag(s) + LLᵀ end to end through unrolled micro-steps, for a latent that has no twin in LibTorch.
//
//   AnalyticLoss energy{.latents = 26, .value = …};                    // ℓ and ∇ℓ as a world computes them
//   const MetricTraining training{.depth = 8};
//   const MetricWeights weights = train_metric(energy, starts, training);
//   Corrector corrector(corrector_of(training), 26, outputs, kernels, weights.view());
//
// v = −G⁻¹g is differentiated through g as well, whose derivative is a product with the Hessian: the world's own, or
// differences of its gradient. A SequenceModel's metric is learned by unroll.h; the pullback needs no learning.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "elastane/core/corrector/corrector.h"
#include "elastane/core/metric/metric_weights.h"

namespace elastane::train {

// a loss of the latent that may differ from case to case
struct AnalyticLoss {
  int latents = 0;
  // ℓ(z), and ∇ℓ into `gradient`
  std::function<double(std::size_t which, std::span<const double> z, std::span<double> gradient)> value;
  // ∇²ℓ(z)·v into `product`; left out: central differences of the gradient
  std::function<void(std::size_t which, std::span<const double> z, std::span<const double> v,
                     std::span<double> product)>
      hessian = {};
};

// a latent to start from, in one of the cases
struct MetricStart {
  std::size_t which = 0;
  std::vector<double> z = {};
};

struct MetricTraining {
  int rank = 4;         // r; 0: diagonal alone
  int depth = 4;        // K, micro-steps in the graph; the loss after each counts equally
  double step = 1.0;    // α₀ of α = min(α₀, ρ/√κ)
  double radius = 1.0;  // ρ, which stays
  double drift = 0;     // β of β(z⁰ − z)
  double scale = 1.0;   // G = scale·I to begin with
  double unit = 1.0;    // a loss that counts as small
  int steps = 300;
  int batch = 32;
  double rate = 0.05;      // at first; a cosine takes it to 0
  std::uint64_t seed = 1;  // of L and of batches
};

// The corrector that takes the same micro-steps. It refuses those that raise the loss; training accepts them, so that
// steps that are too long are penalised.
CorrectorOptions corrector_of(const MetricTraining& training);

// Minimises the mean of asinh(ℓ(z_k)/unit) over starts and depths, which is about log ℓ: how fast a loss falls,
// for any size or sign. Throws if losses or options are not valid.
MetricWeights train_metric(const AnalyticLoss& loss, std::span<const MetricStart> starts,
                           const MetricTraining& training = {});

// ℓ of rows z (batch, d) of those cases, and its gradient, each with a derivative
at::Tensor loss_at(const AnalyticLoss& loss, const std::vector<std::size_t>& cases, const at::Tensor& z);
at::Tensor gradient_at(const AnalyticLoss& loss, const std::vector<std::size_t>& cases, const at::Tensor& z);

}  // namespace elastane::train
