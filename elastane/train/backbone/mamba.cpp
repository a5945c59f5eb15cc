// Twin of elastane/core/backbone/mamba.h.   State: s (batch, states, inner), then the last inputs of the convolution,
// newest last (batch, taps, inner).
#include "elastane/core/backbone/mamba.h"

#include "elastane/train/block.h"
#include "elastane/train/scan_function.h"

namespace elastane::train {
namespace {

using at::Tensor;

class MambaTwin : public Block {
 public:
  explicit MambaTwin(Scope weights)
      : w_(std::move(weights)),
        inner_(w_["A_log"].size(0)),
        states_(w_["A_log"].size(1)),
        taps_(w_["conv1d.weight"].size(2)),
        rank_(w_["dt_proj.weight"].size(1)) {}

  BlockState start(std::int64_t batch) const override {
    Tensor s = at::zeros({batch, states_, inner_}, w_["D"].options());
    if (w_.contains("h0")) s = w_["h0"].t().unsqueeze(0).expand({batch, -1, -1});
    return {s, at::zeros({batch, taps_, inner_}, w_["D"].options())};
  }

  Tensor forward(const Tensor& u, const Steps& steps, BlockState& state) const override {
    const auto xz = at::linear(u, w_["in_proj.weight"]).chunk(2, -1);
    // the last inputs of the call before, then ours
    const Tensor inputs = at::cat({state[1].narrow(1, 1, taps_ - 1), xz[0]}, 1);
    const Tensor x = convolved(inputs, u.size(1));
    const auto dbc = at::linear(x, w_["x_proj.weight"]).split_with_sizes({rank_, states_, states_}, -1);
    Tensor delta = at::softplus(at::linear(dbc[0], w_["dt_proj.weight"], w_["dt_proj.bias"]));
    if (steps.dt.defined()) delta = delta * steps.dt.unsqueeze(-1);
    const Tensor a = -at::exp(w_["A_log"]).t();
    const auto [y, end] = selective_scan(a, delta, x, dbc[1], dbc[2], state[0]);
    state = {end, at::cat({state[1], xz[0]}, 1).narrow(1, u.size(1), taps_)};
    return finished(y, x, xz[1]);
  }

  Tensor read(const Tensor& u, const Steps&, const BlockState& state) const override {
    const auto xz = at::linear(u, w_["in_proj.weight"]).chunk(2, -1);
    const Tensor inputs = at::cat({state[1].narrow(1, 0, taps_ - 1), xz[0].unsqueeze(1)}, 1);
    const Tensor x = convolved(inputs, 1).squeeze(1);
    const Tensor c = at::linear(x, w_["x_proj.weight"]).narrow(-1, rank_ + states_, states_);
    return finished(at::matmul(c.unsqueeze(1), state[0]).squeeze(1), x, xz[1]);
  }

  void rewrite(const Tensor& u, const Steps&, BlockState& state) const override {
    const Tensor newest = at::linear(u, w_["in_proj.weight"].narrow(0, 0, inner_)).unsqueeze(1);
    state[1] = at::cat({state[1].narrow(1, 0, taps_ - 1), newest}, 1);
  }

 private:
  // silu(b + Σ_k w_k ⊙ x_{t−k}) of the last `length` inputs
  Tensor convolved(const Tensor& inputs, std::int64_t length) const {
    const Tensor w = w_["conv1d.weight"];  // (inner, 1, taps), the newest last
    Tensor sum = w_["conv1d.bias"] + inputs.narrow(1, taps_ - 1, length) * w.select(2, taps_ - 1).squeeze(-1);
    for (std::int64_t k = 0; k + 1 < taps_; ++k) {
      sum = at::addcmul(sum, inputs.narrow(1, k, length), w.select(2, k).squeeze(-1));
    }
    return at::silu(sum);
  }
  Tensor finished(const Tensor& y, const Tensor& x, const Tensor& z) const {
    return at::linear((y + w_["D"] * x) * at::silu(z), w_["out_proj.weight"]);
  }

  Scope w_;
  std::int64_t inner_, states_, taps_, rank_;
};

}  // namespace

std::unique_ptr<Block> twin(const MambaConfig&, int, Scope weights) {
  return std::make_unique<MambaTwin>(std::move(weights));
}

}  // namespace elastane::train
