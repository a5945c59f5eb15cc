#include "bench/rivals/libtorch/step_parts.h"

#include <cmath>
#include <cstring>

namespace elastane::libtorch {

Status check_model(const ModelFile& file, const std::string& source) {
  const ModelConfig& config = file.config;
  if (config.normaliser.kind != NormaliserKind::none) {
    return Error{"[torch] normaliser: expected none, found running in " + source + "; leave it out to compare steps"};
  }
  for (std::size_t i = 0; i < config.blocks.size(); ++i) {
    const auto name = std::string(block_name(config.blocks[i]));
    if (name == "mamba" || name == "s4d" || name == "gru" || name == "selective") continue;
    return Error{"[torch] blocks." + std::to_string(i) + ": expected mamba, s4d, gru or selective, found " + name +
                 " in " + source + "; no LibTorch step is written for it"};
  }
  return check_tensors(tensor_specs(config), file.tensors, source);
}

Weights::Weights(const ModelFile& file) {
  for (const Tensor& tensor : file.tensors) {
    auto* values = const_cast<float*>(tensor.values.data());
    tensors_[tensor.name] = at::from_blob(values, tensor.shape, at::kFloat).clone();
  }
  if (file.config.weights != Precision::bfloat16) return;
  for (const TensorSpec& spec : tensor_specs(file.config)) {
    at::Tensor& tensor = tensors_.at(spec.name);
    if (spec.matrix) tensor = tensor.to(at::kBFloat16).to(at::kFloat);
  }
}

void assign(const at::Tensor& from, at::Tensor& to) { std::memcpy(to.data_ptr(), from.data_ptr(), from.nbytes()); }

void activate(Activation kind, const at::Tensor& x, at::Tensor& y) {
  switch (kind) {
    case Activation::none: break;
    case Activation::tanh: at::cpu::tanh_out(y, x); break;
    case Activation::silu: at::cpu::silu_out(y, x); break;
    case Activation::gelu: at::cpu::gelu_out(y, x); break;
  }
}

NormStep::NormStep(Norm kind, const Weights& weights, const std::string& prefix, const at::Tensor& h)
    : kind_(kind), h_(h), h_row_(h.view({1, -1})), squares_(at::zeros({1})), u_{h} {
  if (kind != Norm::none) weight_ = weights(prefix + "weight");
  if (kind != Norm::layer) return;
  bias_ = weights(prefix + "bias");
  averages_ = at::full_like(h, 1.0 / static_cast<double>(h.numel()));
  mean_ = at::zeros({1});
  centred_ = at::zeros_like(h);
  centred_row_ = centred_.view({1, -1});
  u_.v = at::zeros_like(h);
}

float NormStep::scale_of(const at::Tensor& row, const at::Tensor& x) {
  product(row, x, squares_);  // a dot product that allocates nothing
  const float mean = *squares_.data_ptr<float>() / static_cast<float>(x.numel());
  return 1 / std::sqrt(mean + kNormEpsilon);
}

// at::native_layer_norm takes 1.1 to 1.3 µs, most of it for its three fresh outputs; these four operations 0.8
const Scaled& NormStep::operator()() {
  if (kind_ == Norm::rms) u_.scale = scale_of(h_row_, h_);
  if (kind_ == Norm::layer) {
    product(h_row_, averages_, mean_);
    at::cpu::sub_out(centred_, h_, mean_);
    const float scale = scale_of(centred_row_, centred_);
    at::cpu::addcmul_out(u_.v, bias_, centred_, weight_, scale);  // u = b + scale·w ⊙ (h − mean)
  }
  return u_;
}

}  // namespace elastane::libtorch
