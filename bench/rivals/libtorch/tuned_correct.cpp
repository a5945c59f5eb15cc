#include "bench/rivals/libtorch/tuned_correct.h"

#include <algorithm>

namespace elastane::libtorch {
namespace {

int size_of(const ModelFile& file, const std::string& tensor, std::size_t dimension) {
  const auto found = std::ranges::find(file.tensors, tensor, &Tensor::name);
  return static_cast<int>(found->shape[dimension]);
}

}  // namespace

TunedCorrect::Rollout::Rollout(int horizon, int latents, int hidden_size, int outputs)
    : z(at::zeros({horizon, latents})), hidden(at::zeros({horizon, hidden_size})), y(at::zeros({horizon, outputs})) {
  for (int h = 0; h < horizon; ++h) row.push_back(z.select(0, h));
}

TunedCorrect::TunedCorrect(const ModelFile& file, const CorrectOptions& options)
    : latents_(size_of(file, "head.0.weight", 1)),
      hidden_(size_of(file, "head.0.weight", 0)),
      outputs_(file.config.outputs),
      horizon_(options.horizon),
      weight_(1.0 / (static_cast<double>(options.noise) * options.noise)),
      rules_(options.horizon),
      now_(horizon_, latents_, hidden_, outputs_),
      tried_(now_.row.size(), latents_, hidden_, outputs_),
      tangent_(now_.row.size(), latents_, hidden_, outputs_) {
  const Weights weights(file);
  const std::string block = "blocks.0.selective.";
  input_ = at::zeros({file.config.inputs});
  encoder_ = column_major(weights("encoder.weight"));
  encoder_bias_ = weights("encoder.bias");
  h_ = at::zeros_like(encoder_bias_);
  gates_weight_ = column_major(at::cat({weights(block + "delta.weight"), weights(block + "input.weight")}));
  gates_bias_ = at::cat({weights(block + "delta.bias"), weights(block + "input.bias")});
  a_ = weights(block + "log_a").to(at::kDouble).exp().neg().to(at::kFloat);
  start_ = at::zeros({latents_});
  gates_ = at::zeros_like(gates_bias_);
  keep_ = gates_.chunk(2)[0];
  drive_ = gates_.chunk(2)[1];

  w1_ = weights("head.0.weight").contiguous();
  w2_ = weights("head.1.weight").contiguous();
  w2_in_noise_ = w2_ / options.noise;
  w1_t_ = w1_.t().contiguous();
  w2_t_ = w2_.t().contiguous();
  b1_ = weights("head.0.bias").expand({horizon_, hidden_}).contiguous();
  b2_ = weights("head.1.bias").expand({horizon_, outputs_}).contiguous();

  ones_ = at::ones({horizon_, hidden_});
  slope_ = at::zeros({horizon_, hidden_});
  slope_now_ = slope_.select(0, 0);
  scaled_ = at::zeros_like(w2_);
  jacobian_ = at::zeros({outputs_, latents_});
  jacobian_t_ = jacobian_.t();
  gram_ = at::zeros({outputs_, outputs_});
  factor_ = at::zeros({outputs_, outputs_});
  factor_t_ = factor_.t();
  info_ = at::zeros({}, at::kInt);
  x_ = at::zeros({outputs_});
  x_column_ = x_.view({outputs_, 1});
}

void TunedCorrect::reset() {
  rules_.reset();
  assign(start_, now_.row[0]);
}

// z ← a ⊙ z + (1−a) ⊙ (W_B u + b_B), with u = Wx + b
void TunedCorrect::advance(std::span<const float> x) {
  std::ranges::copy(x, input_.data_ptr<float>());
  assign(encoder_bias_, h_);
  accumulate(encoder_, input_, h_);
  assign(gates_bias_, gates_);
  accumulate(gates_weight_, h_, gates_);
  at::cpu::softplus_out(keep_, keep_);
  at::cpu::mul_(keep_, a_);
  at::cpu::exp_(keep_);
  at::cpu::lerp_out(now_.row[0], drive_, now_.row[0], keep_);
}

void TunedCorrect::roll(Rollout& r) {
  for (int h = 1; h < horizon_; ++h) at::cpu::lerp_out(r.row[h], drive_, r.row[h - 1], keep_);
  assign(b1_, r.hidden);
  at::cpu::addmm_out(r.hidden, r.hidden, r.z, w1_t_, 1, 1);
  at::cpu::tanh_(r.hidden);
  assign(b2_, r.y);
  at::cpu::addmm_out(r.y, r.y, r.hidden, w2_t_, 1, 1);
}

Losses TunedCorrect::losses(const Rollout& r, std::span<const float> target) const {
  const float* y = r.y.data_ptr<float>();
  Losses sum;
  double weight = 1;
  for (int h = 0; h < horizon_; ++h, weight *= rules_.trust.discount) {
    double squares = 0;
    for (int i = 0; i < outputs_; ++i, ++y) squares += (*y - target[i]) * (*y - target[i]);
    sum.horizon += weight * 0.5 * weight_ * squares;
    if (h == 0) sum.now = sum.horizon;
  }
  return sum;
}

bool TunedCorrect::solve(std::span<const float> target) {
  at::cpu::tanh_backward_out(slope_, ones_, now_.hidden);  // φ′ = 1 − tanh²
  at::cpu::mul_out(scaled_, w2_in_noise_, slope_now_);
  at::cpu::mm_out(jacobian_, scaled_, w1_);        // J/σ = W₂/σ diag(φ′)·W₁
  at::cpu::mm_out(gram_, jacobian_, jacobian_t_);  // JJᵀ/σ²
  float *system = gram_.data_ptr<float>(), *x = x_.data_ptr<float>();
  double trace = 0;
  for (int i = 0; i < outputs_; ++i) trace += system[i * (outputs_ + 1)];
  damping_ = rules_.damping(trace / latents_);
  for (int i = 0; i < outputs_; ++i) {
    system[i * (outputs_ + 1)] += static_cast<float>(damping_);
    x[i] = static_cast<float>(std::sqrt(weight_) * (target[i] - now_.y.data_ptr<float>()[i]));
  }
  at::cpu::linalg_cholesky_ex_out(factor_, info_, gram_);
  if (*info_.data_ptr<int>() != 0) return false;
  at::cpu::linalg_solve_triangular_out(x_column_, factor_, x_column_, false);
  at::cpu::linalg_solve_triangular_out(x_column_, factor_t_, x_column_, true);
  product(jacobian_t_, x_, tangent_.row[0]);  // v = Jᵀx/σ
  return true;
}

// J DΦ_h v
void TunedCorrect::roll_tangent() {
  for (int h = 1; h < horizon_; ++h) at::cpu::mul_out(tangent_.row[h], tangent_.row[h - 1], keep_);
  at::cpu::mm_out(tangent_.hidden, tangent_.z, w1_t_);
  at::cpu::mul_(tangent_.hidden, slope_);
  at::cpu::mm_out(tangent_.y, tangent_.hidden, w2_t_);
}

Line TunedCorrect::model_loss(std::span<const float> target) const {
  const float *y = now_.y.data_ptr<float>(), *dy = tangent_.y.data_ptr<float>(), *v = tangent_.z.data_ptr<float>();
  double squares = 0, weight = 1;
  for (int i = 0; i < latents_; ++i) squares += v[i] * v[i];
  Line line{.slope = 0, .curvature = damping_ * squares, .norm = 0};
  for (int h = 0; h < horizon_; ++h, weight *= rules_.trust.discount) {
    for (int i = 0; i < outputs_; ++i, ++y, ++dy) {
      line.slope += weight * weight_ * (*y - target[i]) * *dy;
      line.curvature += weight * weight_ * *dy * *dy;
    }
    if (h == 0) line.norm = std::sqrt(line.curvature);
  }
  return line;
}

bool TunedCorrect::step(std::span<const float> x, std::span<const float> target) {
  advance(x);
  roll(now_);
  if (!solve(target)) return false;
  roll_tangent();
  const double alpha = rules_.choose(model_loss(target), losses(now_, target), [&](double length) {
    at::cpu::add_out(tried_.row[0], now_.row[0], tangent_.row[0], length);
    roll(tried_);
    return losses(tried_, target);
  });
  if (alpha == 0) return false;
  std::swap(now_, tried_);
  return true;
}

}  // namespace elastane::libtorch
