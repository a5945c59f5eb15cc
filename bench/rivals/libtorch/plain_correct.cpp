#include "bench/rivals/libtorch/plain_correct.h"

namespace elastane::libtorch {
namespace {

double sum_of_squares(const at::Tensor& x) { return x.square().sum().item<double>(); }

}  // namespace

PlainCorrect::PlainCorrect(const ModelFile& file, const CorrectOptions& options)
    : weights_(file),
      a_(-at::exp(weights_(block_ + "log_a"))),
      w1_(weights_("head.0.weight")),
      b1_(weights_("head.0.bias")),
      w2_(weights_("head.1.weight")),
      b2_(weights_("head.1.bias")),
      horizon_(options.horizon),
      weight_(1.0 / (static_cast<double>(options.noise) * options.noise)),
      rules_(options.horizon) {
  reset();
}

void PlainCorrect::reset() {
  rules_.reset();
  z_ = at::zeros_like(a_);
}

PlainCorrect::Read PlainCorrect::read(const at::Tensor& z) const {
  const at::Tensor hidden = at::tanh(at::linear(z, w1_, b1_));
  return {hidden, at::linear(hidden, w2_, b2_)};
}

Losses PlainCorrect::losses(const at::Tensor& z, const at::Tensor& y, const at::Tensor& target) const {
  Losses sum;
  sum.now = sum.horizon = 0.5 * weight_ * sum_of_squares(y - target);
  double weight = 1;
  at::Tensor ahead = z;
  for (int h = 1; h < horizon_; ++h) {
    ahead = roll(ahead);
    weight *= rules_.trust.discount;
    sum.horizon += weight * 0.5 * weight_ * sum_of_squares(read(ahead).y - target);
  }
  return sum;
}

Line PlainCorrect::model_loss(const at::Tensor& v, double damping, const at::Tensor& target) const {
  Line line;
  double weight = 1;
  at::Tensor z = z_, dz = v;
  for (int h = 0; h < horizon_; ++h) {
    const auto [hidden, y] = read(z);
    const at::Tensor dy = at::linear((1 - hidden.square()) * at::linear(dz, w1_), w2_);  // J DΦ_h v
    line.slope += weight * weight_ * at::dot(y - target, dy).item<double>();
    line.curvature += weight * weight_ * sum_of_squares(dy);
    if (h == 0) {
      line.curvature += damping * sum_of_squares(v);
      line.norm = std::sqrt(line.curvature);
    }
    z = roll(z);
    dz = keep_ * dz;
    weight *= rules_.trust.discount;
  }
  return line;
}

bool PlainCorrect::step(std::span<const float> x, std::span<const float> aim) {
  const auto tensor = [](std::span<const float> values) {
    return at::from_blob(const_cast<float*>(values.data()), {static_cast<std::int64_t>(values.size())}, at::kFloat);
  };
  const at::Tensor target = tensor(aim);

  // z ← a ⊙ z + (1−a) ⊙ (W_B u + b_B)
  const at::Tensor u = at::linear(tensor(x), weights_("encoder.weight"), weights_("encoder.bias"));
  const at::Tensor delta =
      at::softplus(at::linear(u, weights_(block_ + "delta.weight"), weights_(block_ + "delta.bias")));
  keep_ = at::exp(delta * a_);
  drive_ = at::linear(u, weights_(block_ + "input.weight"), weights_(block_ + "input.bias"));
  z_ = roll(z_);

  // v = −Jᵀ(λI + WJJᵀ)⁻¹s
  const auto [hidden, y] = read(z_);
  y_ = y;
  const at::Tensor jacobian = at::matmul(w2_ * (1 - hidden.square()), w1_);  // J = W₂ diag(φ′)·W₁
  const at::Tensor system = weight_ * at::matmul(jacobian, jacobian.t());
  const double damping = rules_.damping(system.trace().item<double>() / static_cast<double>(z_.numel()));
  const at::Tensor factor = at::linalg_cholesky(system + damping * at::eye(system.size(0)));
  const at::Tensor s = weight_ * (y - target);
  const at::Tensor v = -at::matmul(jacobian.t(), at::cholesky_solve(s.unsqueeze(1), factor).squeeze(1));

  at::Tensor tried, read_there;
  const double alpha = rules_.choose(model_loss(v, damping, target), losses(z_, y, target), [&](double length) {
    tried = z_ + length * v;
    read_there = read(tried).y;
    return losses(tried, read_there, target);
  });
  if (alpha == 0) return false;
  z_ = tried;
  y_ = read_there;
  return true;
}

}  // namespace elastane::libtorch
