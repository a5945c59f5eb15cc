#include "bench/rivals/libtorch/step_model.h"

#include <algorithm>
#include <stdexcept>

namespace elastane::libtorch {
namespace {

using Block = std::variant<MambaStep, S4dStep, GruStep, SelectiveStep>;

struct BlockMaker {
  const Weights& weights;
  const std::string& prefix;
  const NormStep& norm;

  Block operator()(const MambaConfig& c) const { return MambaStep(c, weights, prefix + "mamba.", norm); }
  Block operator()(const S4dConfig& c) const { return S4dStep(c, weights, prefix + "s4d.", norm); }
  Block operator()(const GruConfig& c) const { return GruStep(c, weights, prefix + "gru.", norm); }
  Block operator()(const SelectiveConfig& c) const { return SelectiveStep(c, weights, prefix + "selective.", norm); }
  template <class Other>
  Block operator()(const Other&) const {
    throw std::logic_error("a block that check_model refuses");
  }
};

}  // namespace

// --- mix

MixStep::MixStep(const BlockConfig& config, const Weights& weights, const std::string& prefix, const at::Tensor& h)
    : post_(config.post), glu_(config.mix == Mix::glu), residual_(config.residual), h_(h) {
  at::Tensor projection, matrix;
  if (std::holds_alternative<MambaConfig>(config.kind)) projection = weights(prefix + "mamba.out_proj.weight");
  if (config.mix != Mix::none) {
    matrix = weights(prefix + "mix.weight");
    bias_ = weights(prefix + "mix.bias");
  }
  // two matrices with nothing between them are one
  if (projection.defined() && post_ == Activation::none) {
    matrix = matrix.defined() ? at::matmul(matrix, projection) : projection;
  } else if (projection.defined()) {
    projection_ = column_major(projection);
    projected_ = at::zeros_like(h);
  }
  if (matrix.defined()) matrix_ = column_major(matrix);
  if (post_ != Activation::none) activated_ = matrix.defined() ? at::zeros({matrix.size(1)}) : at::zeros_like(h);
  if (glu_) {
    mixed_ = at::zeros_like(bias_);
    p_ = mixed_.chunk(2)[0];
    q_ = mixed_.chunk(2)[1];
  }
}

const at::Tensor& MixStep::projected(const at::Tensor& o) {
  if (!projection_.defined()) return o;
  product(projection_, o, projected_);
  return projected_;
}

const at::Tensor& MixStep::activated(const at::Tensor& o) {
  if (post_ == Activation::none) return o;
  activate(post_, o, activated_);
  return activated_;
}

// h ← h + p ⊙ σ(q), [p; q] = Wo + b
void MixStep::add_gated(const at::Tensor& o) {
  assign(bias_, mixed_);
  accumulate(matrix_, o, mixed_);
  at::cpu::sigmoid_(q_);
  if (residual_) {
    at::cpu::addcmul_(h_, p_, q_);
  } else {
    at::cpu::mul_out(h_, p_, q_);
  }
}

// h ← h + Wo + b
void MixStep::add(const at::Tensor& o) {
  const at::Tensor& first = matrix_.defined() ? bias_ : o;
  if (first.defined() && residual_) at::cpu::add_(h_, first);
  if (first.defined() && !residual_) assign(first, h_);
  if (!matrix_.defined()) return;
  if (first.defined() || residual_) {
    accumulate(matrix_, o, h_);
  } else {
    product(matrix_, o, h_);
  }
}

void MixStep::step(const at::Tensor& read_out) {
  const at::Tensor& o = activated(projected(read_out));
  if (glu_) {
    add_gated(o);
  } else {
    add(o);
  }
}

// --- the model

Result<StepModel> StepModel::create(const ModelFile& file, const std::string& source) {
  if (Status status = check_model(file, source); !status) return Error{status.error()};
  return StepModel(file);
}

StepModel::StepModel(const ModelFile& file) : StepModel(file.config, Weights(file)) {}

StepModel::StepModel(const ModelConfig& config, const Weights& weights)
    : activation_(config.head.activation),
      input_(at::ones({config.mask_input ? 2 * config.inputs : config.inputs})),
      encoder_(column_major(weights("encoder.weight"))),
      encoder_bias_(weights("encoder.bias")),
      h_(at::zeros({config.width})),
      norm_(config.norm, weights, "norm.", h_) {
  for (std::size_t i = 0; i < config.blocks.size(); ++i) {
    const BlockConfig& block = config.blocks[i];
    const std::string prefix = "blocks." + std::to_string(i) + ".";
    NormStep norm(block.norm, weights, prefix + "norm.", h_);
    layers_.push_back({.norm = norm,
                       .block = std::visit(BlockMaker{weights, prefix, norm}, block.kind),
                       .mix = MixStep(block, weights, prefix, h_)});
  }
  for (std::size_t k = 0; k <= config.head.hidden.size(); ++k) {
    const std::string prefix = "head." + std::to_string(k) + ".";
    const at::Tensor matrix = weights(prefix + "weight"), bias = weights(prefix + "bias");
    head_.push_back(
        {.matrix = column_major(k == 0 ? norm_.fold(matrix) : matrix), .bias = bias, .y = at::zeros_like(bias)});
  }
}

// y = head(u)
void StepModel::read(Scaled u) {
  for (std::size_t k = 0; k < head_.size(); ++k) {
    HeadLayerStep& layer = head_[k];
    assign(layer.bias, layer.y);
    accumulate(layer.matrix, u.v, layer.y, u.scale);
    if (k + 1 < head_.size()) activate(activation_, layer.y, layer.y);
    u = {layer.y};
  }
}

std::span<const float> StepModel::step(std::span<const float> x) {
  std::ranges::copy(x, input_.data_ptr<float>());
  assign(encoder_bias_, h_);
  accumulate(encoder_, input_, h_);  // h = Wx + b
  for (LayerStep& layer : layers_) {
    const Scaled& u = layer.norm();
    layer.mix.step(std::visit([&](auto& block) -> const at::Tensor& { return block.step(u); }, layer.block));
  }
  read(norm_());
  const at::Tensor& y = head_.back().y;
  return {y.data_ptr<float>(), static_cast<std::size_t>(y.numel())};
}

void StepModel::reset() {
  for (LayerStep& layer : layers_) std::visit([](auto& block) { block.reset(); }, layer.block);
}

}  // namespace elastane::libtorch
