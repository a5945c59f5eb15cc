// Twin of elastane/core/backbone/mlp.h, which has no state.
#include "elastane/core/backbone/mlp.h"

#include "elastane/train/block.h"

namespace elastane::train {
namespace {

using at::Tensor;

class MlpTwin : public Block {
 public:
  MlpTwin(const MlpConfig& config, Scope weights) : activation_(config.activation), w_(std::move(weights)) {}

  BlockState start(std::int64_t) const override { return {}; }
  int latents() const override { return 0; }

  Tensor forward(const Tensor& u, const Steps&, BlockState&) const override { return through(u); }
  Tensor read(const Tensor& u, const Steps&, const BlockState&) const override { return through(u); }

 private:
  Tensor through(const Tensor& u) const {
    const Tensor up = at::linear(u, w_["up.weight"], w_["up.bias"]);
    const Tensor inner = w_.contains("gate.weight")
                             ? activate(activation_, at::linear(u, w_["gate.weight"], w_["gate.bias"])) * up
                             : activate(activation_, up);
    return at::linear(inner, w_["down.weight"], w_["down.bias"]);
  }

  Activation activation_;
  Scope w_;
};

}  // namespace

std::unique_ptr<Block> twin(const MlpConfig& config, int, Scope weights) {
  return std::make_unique<MlpTwin>(config, std::move(weights));
}

}  // namespace elastane::train
