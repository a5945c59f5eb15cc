// A corrected step made as fast as LibTorch allows: the rival of Stream::step in `elastane bench correct`.
//
// For the model that it is measured on: an encoder, one selective block without norm or residual, a head with one
// hidden tanh layer. What makes it fast, beside the rules of step_parts.h:
//   - all rows of a rollout go through the decoder together
//   - the Jacobian is one product, W₂ diag(φ′)·W₁; no automatic differentiation
//   - the system is that of the outputs, 16 x 16: Cholesky and two triangular solves, 4 µs. cholesky_solve alone takes
//     5.6, linalg_solve 10
//   - sums over some dozen numbers are loops over their data; an operation takes 0.3 µs
#pragma once

#include <span>
#include <vector>

#include "bench/rivals/libtorch/correct_rules.h"
#include "bench/rivals/libtorch/step_parts.h"

namespace elastane::libtorch {

class TunedCorrect {
 public:
  TunedCorrect(const ModelFile& file, const CorrectOptions& options);

  // z ← f(z, x), then one correction towards the target; was it accepted?
  bool step(std::span<const float> x, std::span<const float> target);
  std::span<const float> output() const { return {now_.y.data_ptr<float>(), static_cast<std::size_t>(outputs_)}; }
  void reset();

 private:
  // latents along a rollout and what is read from them, or tangents of both; [H][·]
  struct Rollout {
    Rollout(int horizon, int latents, int hidden, int outputs);
    at::Tensor z, hidden, y;
    std::vector<at::Tensor> row;  // of z
  };

  void advance(std::span<const float> x);
  void roll(Rollout& rollout);  // from its first row
  Losses losses(const Rollout& rollout, std::span<const float> target) const;
  bool solve(std::span<const float> target);  // v, into the tangents' first row
  void roll_tangent();
  Line model_loss(std::span<const float> target) const;

  int latents_, hidden_, outputs_, horizon_;
  double weight_;  // 1/σ²
  CorrectRules rules_;
  double damping_ = 0;

  at::Tensor input_, encoder_, encoder_bias_, h_;
  at::Tensor gates_weight_, gates_bias_, a_, start_;  // the selective block's
  at::Tensor gates_, keep_, drive_;                   // [δ; b] and its halves; the first becomes a
  at::Tensor w1_, w1_t_, b1_, w2_, w2_t_, b2_;        // the head's; biases as [H][·]
  at::Tensor w2_in_noise_;                            // W₂/σ

  Rollout now_, tried_, tangent_;
  at::Tensor ones_, slope_, slope_now_, scaled_;  // φ′ of all rows and of the first; W₂/σ diag(φ′)
  at::Tensor jacobian_, jacobian_t_, gram_, factor_, factor_t_, info_;  // J/σ, JJᵀ/σ² + λI
  at::Tensor x_, x_column_;                                             // (λI + JJᵀ/σ²)⁻¹(t − y)/σ
};

}  // namespace elastane::libtorch
