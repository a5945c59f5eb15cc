// Twins of elastane/core/backbone/gru.h and lstm.h.   States: h, and h and c, each (batch, hidden).
//
// Steps of one unit of time take LibTorch's own loop; others are unrolled here.
#include "elastane/train/block.h"

namespace elastane::train {
namespace {

using at::Tensor;

struct GatedWeights {
  explicit GatedWeights(Scope weights)
      : w(std::move(weights)),
        all{w["weight_ih_l0"], w["weight_hh_l0"], w["bias_ih_l0"], w["bias_hh_l0"]},
        hidden(w["weight_hh_l0"].size(1)) {}

  Tensor start(std::string_view name, std::int64_t batch) const { return start_of(w, name, all[1], batch, {hidden}); }
  Tensor from_input(const Tensor& u) const { return at::linear(u, all[0], all[2]); }
  Tensor from_state(const Tensor& h) const { return at::linear(h, all[1], all[3]); }

  Scope w;
  std::vector<Tensor> all;
  std::int64_t hidden;
};

// σ(a)^dt
Tensor retained(const Tensor& a, const Tensor& dt) { return at::exp(dt * at::log_sigmoid(a)); }

class GruTwin : public Block {
 public:
  explicit GruTwin(Scope weights) : w_(std::move(weights)) {}

  BlockState start(std::int64_t batch) const override { return {w_.start("h0", batch)}; }

  Tensor forward(const Tensor& u, const Steps& steps, BlockState& state) const override {
    if (!steps.dt.defined()) {
      const auto [o, h] = at::gru(u, state[0].unsqueeze(0).contiguous(), w_.all, /*has_biases=*/true, /*num_layers=*/1,
                                  /*dropout=*/0.0, /*train=*/true, /*bidirectional=*/false, /*batch_first=*/true);
      state[0] = h.squeeze(0);
      return o;
    }
    const auto inputs = w_.from_input(u).unbind(1);
    const auto dts = steps.dt.unsqueeze(-1).unbind(1);
    std::vector<Tensor> o;
    Tensor h = state[0];
    for (std::size_t t = 0; t < inputs.size(); ++t) {
      const auto i = inputs[t].chunk(3, -1), s = w_.from_state(h).chunk(3, -1);
      const Tensor r = at::sigmoid(i[0] + s[0]), keep = retained(i[1] + s[1], dts[t]);
      const Tensor n = at::tanh(i[2] + r * s[2]);
      h = n + keep * (h - n);  // (1−ζ)n + ζh
      o.push_back(h);
    }
    state[0] = h;
    return at::stack(o, 1);
  }

  Tensor read(const Tensor&, const Steps&, const BlockState& state) const override { return state[0]; }

 private:
  GatedWeights w_;
};

class LstmTwin : public Block {
 public:
  explicit LstmTwin(Scope weights) : w_(std::move(weights)) {}

  BlockState start(std::int64_t batch) const override { return {w_.start("h0", batch), w_.start("c0", batch)}; }
  int latents() const override { return 2; }

  Tensor forward(const Tensor& u, const Steps& steps, BlockState& state) const override {
    if (!steps.dt.defined()) {
      const std::vector<Tensor> start = {state[0].unsqueeze(0).contiguous(), state[1].unsqueeze(0).contiguous()};
      const auto [o, h, c] = at::lstm(u, start, w_.all, /*has_biases=*/true, /*num_layers=*/1, /*dropout=*/0.0,
                                      /*train=*/true, /*bidirectional=*/false, /*batch_first=*/true);
      state = {h.squeeze(0), c.squeeze(0)};
      return o;
    }
    const auto inputs = w_.from_input(u).unbind(1);
    const auto dts = steps.dt.unsqueeze(-1).unbind(1);
    std::vector<Tensor> o;
    Tensor h = state[0], c = state[1];
    for (std::size_t t = 0; t < inputs.size(); ++t) {
      const auto gates = (inputs[t] + w_.from_state(h)).chunk(4, -1);
      const Tensor drive = at::sigmoid(gates[0]) * at::tanh(gates[2]);
      c = retained(gates[1], dts[t]) * c + entered(gates[1], dts[t]) * drive;
      h = at::sigmoid(gates[3]) * at::tanh(c);
      o.push_back(h);
    }
    state = {h, c};
    return at::stack(o, 1);
  }

  Tensor read(const Tensor&, const Steps&, const BlockState& state) const override { return state[0]; }

 private:
  // (1 − f^dt)/(1 − f), what comes in meanwhile; its limit for f → 1 is dt
  static Tensor entered(const Tensor& a, const Tensor& dt) {
    const Tensor open = a > 60, safe = a.masked_fill(open, 0);
    return at::where(open, dt.expand_as(a), -at::expm1(dt * at::log_sigmoid(safe)) / at::sigmoid(-safe));
  }

  GatedWeights w_;
};

}  // namespace

std::unique_ptr<Block> twin(const GruConfig&, int, Scope weights) {
  return std::make_unique<GruTwin>(std::move(weights));
}
std::unique_ptr<Block> twin(const LstmConfig&, int, Scope weights) {
  return std::make_unique<LstmTwin>(std::move(weights));
}

}  // namespace elastane::train
