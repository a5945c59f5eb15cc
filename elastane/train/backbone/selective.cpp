// Twin of elastane/core/backbone/selective.h.   State: z (batch, hidden).
#include "elastane/train/block.h"
#include "elastane/train/scan_function.h"

namespace elastane::train {
namespace {

using at::Tensor;

class SelectiveTwin : public Block {
 public:
  explicit SelectiveTwin(Scope weights) : w_(std::move(weights)) {}

  BlockState start(std::int64_t batch) const override {
    return {start_of(w_, "h0", w_["log_a"], batch, w_["log_a"].sizes().vec())};
  }

  Tensor forward(const Tensor& u, const Steps& steps, BlockState& state) const override {
    Tensor delta = at::softplus(at::linear(u, w_["delta.weight"], w_["delta.bias"]));
    if (steps.dt.defined()) delta = delta * steps.dt.unsqueeze(-1);
    const Tensor change = at::expm1(-delta * at::exp(w_["log_a"]));  // e^(ΔA) − 1
    const auto [z, end] = leaky_scan(change, at::linear(u, w_["input.weight"], w_["input.bias"]), state[0]);
    state[0] = end;
    return z;
  }

  Tensor read(const Tensor&, const Steps&, const BlockState& state) const override { return state[0]; }

 private:
  Scope w_;
};

}  // namespace

std::unique_ptr<Block> twin(const SelectiveConfig&, int, Scope weights) {
  return std::make_unique<SelectiveTwin>(std::move(weights));
}

}  // namespace elastane::train
