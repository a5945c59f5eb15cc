// Twin of elastane/core/backbone/delta.h.   State: M (batch, heads, keys, values), P (batch, heads, keys, keys; of the
// delta rule nothing), then the last q, k and v before their convolutions, newest last, each (batch, taps, channels).
//
// Every step writes: gates are set when a trained model is used, by a quantile of its surprise; so are inflation and
// relaxation. A chunk of 64 steps is one triangular system (docs/science.md §9.2):
//
//   delta           D_ti = Π α between i and t:  (I + tril(β KKᵀ ⊙ D, −1)) U = β(V − γKM)    O = γQM + tril(QKᵀ ⊙ D) U
//   least squares   KPKᵀ + diag(R/β) = LLᵀ:      O = QM + tril((L⁻¹KPQᵀ)ᵀ) L⁻¹(V − KM)
#include "elastane/core/backbone/delta.h"

#include <cmath>

#include "elastane/train/block.h"

namespace elastane::train {
namespace {

using at::Tensor;

constexpr std::int64_t kChunk = 64;

class DeltaTwin : public Block {
 public:
  DeltaTwin(const DeltaConfig& config, int width, Scope weights)
      : w_(std::move(weights)),
        config_(config),
        heads_(config.heads),
        keys_(config.key > 0 ? config.key : width / config.heads),
        values_(config.value > 0 ? config.value : width / config.heads),
        taps_(config.taps) {}

  BlockState start(std::int64_t batch) const override {
    const auto options = w_["o_proj.weight"].options();
    const Tensor spread = squares() ? at::eye(keys_, options).expand({batch, heads_, keys_, keys_})
                                    : at::zeros({batch, 1, 1, 1}, options);
    return {at::zeros({batch, heads_, keys_, values_}, options), spread,
            at::zeros({batch, taps_, heads_ * keys_}, options), at::zeros({batch, taps_, heads_ * keys_}, options),
            at::zeros({batch, taps_, heads_ * values_}, options)};
  }
  int latents() const override { return 0; }

  Tensor forward(const Tensor& u, const Steps& steps, BlockState& state) const override {
    const std::int64_t length = u.size(1);
    const char* names[] = {"q", "k", "v"};
    Tensor qkv[3];
    for (std::size_t i = 0; i < 3; ++i) {
      Tensor& taps = state[2 + i];
      const Tensor raw = at::cat({taps, at::linear(u, weight(names[i], "_proj.weight"))}, 1);
      qkv[i] = in_heads(convolved(names[i], raw.narrow(1, 1, raw.size(1) - 1), length), i < 2, i == 0);
      taps = raw.narrow(1, length, taps_);
    }
    const Tensor beta =
        at::sigmoid(at::linear(u, w_["b_proj.weight"], w_["b_proj.bias"])).transpose(1, 2).unsqueeze(-1);
    const Tensor fade = log_keep(u, steps);
    std::vector<Tensor> o;
    for (std::int64_t t = 0; t < length; t += kChunk) {
      const std::int64_t n = std::min(kChunk, length - t);
      const Chunk chunk{qkv[0].narrow(2, t, n), qkv[1].narrow(2, t, n), qkv[2].narrow(2, t, n), beta.narrow(2, t, n),
                        fade.defined() ? fade.narrow(2, t, n) : fade};
      o.push_back(squares() ? least_squares(chunk, state) : delta(chunk, state));
    }
    return finished(at::cat(o, 2), u);
  }

  Tensor read(const Tensor& u, const Steps&, const BlockState& state) const override {
    const Tensor newest = at::linear(u, weight("q", "_proj.weight")).unsqueeze(1);
    const Tensor taps = at::cat({state[2].narrow(1, 0, taps_ - 1), newest}, 1);
    return finished(at::matmul(in_heads(convolved("q", taps, 1), true, true), state[0]), u.unsqueeze(1)).squeeze(1);
  }

 private:
  struct Chunk {
    Tensor q, k, v;  // (batch, heads, steps, channels)
    Tensor beta;     // (batch, heads, steps, 1)
    Tensor fade;     // log α, or undefined
  };

  bool is_published() const { return config_.form == DeltaForm::published; }
  bool squares() const { return config_.rule == WriteRule::least_squares; }
  const Tensor& weight(const char* stream, const char* what) const { return w_[std::string(stream) + what]; }

  // Σ_k w_k ⊙ x_{t−k} of the last `length` inputs, and silu of it in the published form
  Tensor convolved(const char* stream, const Tensor& inputs, std::int64_t length) const {
    const Tensor& w = weight(stream, "_conv1d.weight");  // (channels, 1, taps), the newest last
    Tensor sum = inputs.narrow(1, taps_ - 1, length) * w.select(2, taps_ - 1).squeeze(-1);
    for (std::int64_t k = 0; k + 1 < taps_; ++k) {
      sum = at::addcmul(sum, inputs.narrow(1, k, length), w.select(2, k).squeeze(-1));
    }
    return is_published() ? at::silu(sum) : sum;
  }
  // (batch, heads, length, size), as unit vectors where asked for
  Tensor in_heads(const Tensor& x, bool unit, bool query) const {
    const Tensor h = x.view({x.size(0), x.size(1), heads_, -1}).transpose(1, 2);
    if (!unit) return h;
    const double epsilon = is_published() ? 1e-6 : static_cast<double>(keys_) * kNormEpsilon;
    const Tensor units = h * at::rsqrt((h * h).sum(-1, true) + epsilon);
    return is_published() && query ? units / std::sqrt(static_cast<double>(keys_)) : units;
  }
  Tensor log_keep(const Tensor& u, const Steps& steps) const {
    if (!config_.decay) return {};
    Tensor log_alpha = at::log_sigmoid(at::linear(u, w_["a_proj.weight"], w_["a_proj.bias"]));
    if (is_published()) log_alpha = log_alpha * at::exp(w_["A_log"]);
    if (steps.dt.defined()) log_alpha = log_alpha * steps.dt.unsqueeze(-1);
    return log_alpha.transpose(1, 2).unsqueeze(-1);
  }

  static Tensor delta(const Chunk& c, BlockState& state) {
    const Tensor m = state[0];
    const std::int64_t n = c.q.size(2);
    Tensor between = at::ones({n, n}, m.options()).tril(), since = at::ones({1}, m.options()), until = since;
    if (c.fade.defined()) {
      const Tensor sum = c.fade.cumsum(2);                           // log γ
      between = at::exp((sum - sum.transpose(2, 3)).tril()).tril();  // D
      since = at::exp(sum);                                          // γ
      until = at::exp(sum.narrow(2, n - 1, 1) - sum);                // what a write is at the end
    }
    const Tensor overlap = at::matmul(c.k, c.k.transpose(2, 3)) * between;
    const Tensor system = (c.beta * overlap).tril(-1) + at::eye(n, m.options());
    const Tensor right = c.beta * (c.v - since * at::matmul(c.k, m));
    const Tensor u = at::linalg_solve_triangular(system, right, /*upper=*/false, /*left=*/true, /*unitriangular=*/true);
    const Tensor last = c.fade.defined() ? since.narrow(2, n - 1, 1) : since;
    state[0] = last * m + at::matmul((until * c.k).transpose(2, 3), u);
    return since * at::matmul(c.q, m) + at::matmul(at::matmul(c.q, c.k.transpose(2, 3)) * between, u);
  }

  Tensor least_squares(const Chunk& c, BlockState& state) const {
    const Tensor m = state[0], p = state[1];
    const Tensor pk = at::matmul(p, c.k.transpose(2, 3));  // PKᵀ
    const Tensor system = at::matmul(c.k, pk) + at::diag_embed((config_.noise / c.beta).squeeze(-1));
    const Tensor factor = at::linalg_cholesky(system);
    const auto solve = [&](const Tensor& right) { return at::linalg_solve_triangular(factor, right, /*upper=*/false); };
    const Tensor residual = solve(c.v - at::matmul(c.k, m)), weights = solve(pk.transpose(2, 3));  // L⁻¹KP
    const Tensor seen = at::matmul(c.q, weights.transpose(2, 3)).tril();
    state[0] = m + at::matmul(weights.transpose(2, 3), residual);
    state[1] = p - at::matmul(weights.transpose(2, 3), weights);
    return at::matmul(c.q, m) + at::matmul(seen, residual);
  }

  // W_o norm(o), o (batch, heads, length, values); gated by u
  Tensor finished(const Tensor& o, const Tensor& u) const {
    const Tensor scale = at::rsqrt((o * o).mean(-1, true) + static_cast<double>(kNormEpsilon));
    const Tensor normed = (o * scale * w_["o_norm.weight"]).transpose(1, 2);
    Tensor read = normed.reshape({normed.size(0), normed.size(1), heads_ * values_});
    if (config_.gated) read = read * at::silu(at::linear(u, w_["g_proj.weight"]));
    return at::linear(read, w_["o_proj.weight"]);
  }

  Scope w_;
  DeltaConfig config_;
  std::int64_t heads_, keys_, values_, taps_;
};

}  // namespace

std::unique_ptr<Block> twin(const DeltaConfig& config, int width, Scope weights) {
  return std::make_unique<DeltaTwin>(config, width, std::move(weights));
}

}  // namespace elastane::train
