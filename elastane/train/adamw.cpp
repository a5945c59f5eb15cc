#include "elastane/train/adamw.h"

#include <cmath>

namespace elastane::train {

AdamW::AdamW(const Weights& weights, const ModelConfig& config, const AdamWOptions& options) : options_(options) {
  const std::vector<TensorSpec> specs = tensor_specs(config);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const NamedTensor& weight = weights.all()[i];
    parameters_.push_back({weight, at::zeros_like(weight.value), at::zeros_like(weight.value), specs[i].matrix});
  }
}

AdamW::AdamW(const std::vector<NamedTensor>& leaves, const AdamWOptions& options) : options_(options) {
  for (const NamedTensor& leaf : leaves) {
    parameters_.push_back({leaf, at::zeros_like(leaf.value), at::zeros_like(leaf.value), leaf.value.dim() > 1});
  }
}

double AdamW::step(double rate) {
  const at::NoGradGuard no_grad;
  at::Tensor square = at::zeros({}, at::kDouble);
  for (const Parameter& p : parameters_) {
    if (p.weight.value.grad().defined()) square += p.weight.value.grad().to(at::kDouble).square().sum();
  }
  const double norm = std::sqrt(square.item<double>());
  if (!std::isfinite(norm)) return norm;
  const double share = options_.clip > 0 && norm > options_.clip ? options_.clip / norm : 1.0;

  ++steps_;
  // moments begin at zero, and are too small by this
  const double first = 1 - std::pow(options_.beta1, steps_), second = 1 - std::pow(options_.beta2, steps_);
  for (Parameter& p : parameters_) {
    at::Tensor w = p.weight.value;
    if (!w.grad().defined()) continue;
    const at::Tensor g = w.grad() * share;
    p.m.mul_(options_.beta1).add_(g, 1 - options_.beta1);
    p.v.mul_(options_.beta2).addcmul_(g, g, 1 - options_.beta2);
    if (p.decays) w.mul_(1 - rate * options_.decay);
    w.addcdiv_(p.m, (p.v / second).sqrt_().add_(options_.epsilon), -rate / first);
    w.mutable_grad() = at::Tensor();
  }
  return norm;
}

std::vector<NamedTensor> AdamW::moments() const {
  std::vector<NamedTensor> all;
  for (const Parameter& p : parameters_) {
    all.push_back({"m." + p.weight.name, p.m});
    all.push_back({"v." + p.weight.name, p.v});
  }
  return all;
}

}  // namespace elastane::train
