#include "bench/rivals/libtorch/plain_model.h"

namespace elastane::libtorch {
namespace {

// state at reset, as a batch of one: h0 of the file, or zeros
at::Tensor batched_start(const Weights& weights, const std::string& prefix, at::IntArrayRef shape) {
  return (weights.holds(prefix + "h0") ? weights(prefix + "h0") : at::zeros(shape)).unsqueeze(0);
}

PlainWeights pair_of(const Weights& weights, const std::string& prefix) {
  const auto found = [&](const std::string& name) { return weights.holds(name) ? weights(name) : at::Tensor(); };
  return {found(prefix + "weight"), found(prefix + "bias")};
}

at::Tensor linear(const at::Tensor& x, const PlainWeights& w) { return at::linear(x, w.weight, w.bias); }

at::Tensor activated(Activation kind, const at::Tensor& x) {
  switch (kind) {
    case Activation::none: break;
    case Activation::tanh: return at::tanh(x);
    case Activation::silu: return at::silu(x);
    case Activation::gelu: return at::gelu(x);
  }
  return x;
}

at::Tensor normalised(Norm kind, const at::Tensor& x, const PlainWeights& w) {
  switch (kind) {
    case Norm::none: break;
    case Norm::rms: return w.weight * (x * at::rsqrt(x.pow(2).mean(-1, true) + kNormEpsilon));
    case Norm::layer: return at::layer_norm(x, {x.size(-1)}, w.weight, w.bias, kNormEpsilon);
  }
  return x;
}

at::Tensor mixed(Mix kind, const at::Tensor& o, const PlainWeights& w) {
  switch (kind) {
    case Mix::none: break;
    case Mix::linear: return linear(o, w);
    case Mix::glu: return at::glu(linear(o, w));
  }
  return o;
}

PlainBlock block_of(const BlockConfig& config, const Weights& weights, const std::string& prefix) {
  if (std::holds_alternative<MambaConfig>(config.kind)) return PlainMamba(weights, prefix + "mamba.");
  if (const auto* s4d = std::get_if<S4dConfig>(&config.kind)) return PlainS4d(*s4d, weights, prefix + "s4d.");
  if (std::holds_alternative<GruConfig>(config.kind)) return PlainGru(weights, prefix + "gru.");
  return PlainSelective(weights, prefix + "selective.");  // check_model has refused the others
}

}  // namespace

// --- blocks

PlainMamba::PlainMamba(const Weights& weights, const std::string& prefix)
    : in_proj_(weights(prefix + "in_proj.weight")),
      conv_weight_(weights(prefix + "conv1d.weight").squeeze(1)),
      conv_bias_(weights(prefix + "conv1d.bias")),
      x_proj_(weights(prefix + "x_proj.weight")),
      dt_proj_(weights(prefix + "dt_proj.weight")),
      dt_bias_(weights(prefix + "dt_proj.bias")),
      a_(-at::exp(weights(prefix + "A_log"))),
      d_(weights(prefix + "D")),
      out_proj_(weights(prefix + "out_proj.weight")),
      start_(batched_start(weights, prefix, a_.sizes())) {
  reset();
}

at::Tensor PlainMamba::step(const at::Tensor& u) {
  const std::vector<at::Tensor> xz = at::linear(u, in_proj_).chunk(2, -1);
  window_ = at::roll(window_, -1, -1);
  window_.select(-1, -1).copy_(xz[0]);
  const at::Tensor x = at::silu((window_ * conv_weight_).sum(-1) + conv_bias_);

  const auto rank = dt_proj_.size(1), states = a_.size(1);
  const std::vector<at::Tensor> dbc = at::linear(x, x_proj_).split_with_sizes({rank, states, states}, -1);
  const at::Tensor delta = at::softplus(at::linear(dbc[0], dt_proj_, dt_bias_));
  const at::Tensor drive = (delta * x).unsqueeze(-1) * dbc[1].unsqueeze(1);        // Δ·B·x
  s_ = at::exp(delta.unsqueeze(-1) * a_) * s_ + drive;                             // s ← e^(ΔA)s + Δ·B·x
  const at::Tensor y = at::matmul(s_, dbc[2].unsqueeze(-1)).squeeze(-1) + d_ * x;  // y = C·s + D ⊙ x
  return at::linear(y * at::silu(xz[1]), out_proj_);
}

void PlainMamba::reset() {
  s_ = start_;
  window_ = at::zeros_like(conv_weight_).unsqueeze(0);
}

// discretised in double: in float the difference Ā − 1 would lose what slow modes are made of
PlainS4d::PlainS4d(const S4dConfig& config, const Weights& weights, const std::string& prefix)
    : c_(2 * at::view_as_complex(weights(prefix + "C"))), d_(weights(prefix + "D")) {
  const at::Tensor a_real = -at::exp(weights(prefix + "log_A_real").to(at::kDouble));
  const at::Tensor a = at::complex(a_real, weights(prefix + "A_imag").to(at::kDouble));
  const at::Tensor dt = at::exp(weights(prefix + "log_dt").to(at::kDouble)).unsqueeze(-1), half = a * dt / 2;
  const bool bilinear = config.discretisation == Discretisation::bilinear;
  const at::Tensor a_bar = bilinear ? (1 + half) / (1 - half) : at::exp(a * dt);
  a_bar_ = a_bar.to(at::kComplexFloat);
  b_bar_ = ((a_bar - 1) / a).to(at::kComplexFloat);  // which for bilinear is Δ/(1−ΔA/2), too
  start_ = at::view_as_complex(batched_start(weights, prefix, {a.size(0), a.size(1), 2}));
  reset();
}

at::Tensor PlainS4d::step(const at::Tensor& u) {
  s_ = a_bar_ * s_ + b_bar_ * u.unsqueeze(-1);  // s ← Ās + B̄u
  return at::real((c_ * s_).sum(-1)) + d_ * u;  // o = 2·Re Σ C·s + D ⊙ u
}

PlainGru::PlainGru(const Weights& weights, const std::string& prefix)
    : weight_ih_(weights(prefix + "weight_ih_l0")),
      weight_hh_(weights(prefix + "weight_hh_l0")),
      bias_ih_(weights(prefix + "bias_ih_l0")),
      bias_hh_(weights(prefix + "bias_hh_l0")),
      start_(batched_start(weights, prefix, {weight_hh_.size(1)})) {
  reset();
}

at::Tensor PlainGru::step(const at::Tensor& u) {
  h_ = at::gru_cell(u, h_, weight_ih_, weight_hh_, bias_ih_, bias_hh_);
  return h_;
}

PlainSelective::PlainSelective(const Weights& weights, const std::string& prefix)
    : delta_weight_(weights(prefix + "delta.weight")),
      delta_bias_(weights(prefix + "delta.bias")),
      input_weight_(weights(prefix + "input.weight")),
      input_bias_(weights(prefix + "input.bias")),
      a_(-at::exp(weights(prefix + "log_a"))),
      start_(batched_start(weights, prefix, a_.sizes())) {
  reset();
}

at::Tensor PlainSelective::step(const at::Tensor& u) {
  const at::Tensor delta = at::softplus(at::linear(u, delta_weight_, delta_bias_));
  const at::Tensor keep = at::exp(delta * a_);
  z_ = keep * z_ + (1 - keep) * at::linear(u, input_weight_, input_bias_);  // z ← a ⊙ z + (1−a) ⊙ (W_B u + b_B)
  return z_;
}

// --- the model

Result<PlainModel> PlainModel::create(const ModelFile& file, const std::string& source) {
  if (Status status = check_model(file, source); !status) return Error{status.error()};
  return PlainModel(file);
}

PlainModel::PlainModel(const ModelFile& file) : config_(file.config), mask_(at::ones({1, file.config.inputs})) {
  const Weights weights(file);
  encoder_ = pair_of(weights, "encoder.");
  for (std::size_t i = 0; i < config_.blocks.size(); ++i) {
    const std::string prefix = "blocks." + std::to_string(i) + ".";
    layers_.push_back({.config = config_.blocks[i],
                       .norm = pair_of(weights, prefix + "norm."),
                       .mix = pair_of(weights, prefix + "mix."),
                       .block = block_of(config_.blocks[i], weights, prefix)});
  }
  norm_ = pair_of(weights, "norm.");
  for (std::size_t k = 0; k <= config_.head.hidden.size(); ++k) {
    head_.push_back(pair_of(weights, "head." + std::to_string(k) + "."));
  }
}

std::span<const float> PlainModel::step(std::span<const float> x) {
  at::Tensor input = at::from_blob(const_cast<float*>(x.data()), {1, static_cast<std::int64_t>(x.size())});
  if (config_.mask_input) input = at::cat({input, mask_}, -1);
  at::Tensor h = linear(input, encoder_);
  for (PlainLayer& layer : layers_) {
    const at::Tensor u = normalised(layer.config.norm, h, layer.norm);
    const at::Tensor read_out = std::visit([&](auto& block) { return block.step(u); }, layer.block);
    const at::Tensor o = mixed(layer.config.mix, activated(layer.config.post, read_out), layer.mix);
    h = layer.config.residual ? h + o : o;
  }
  y_ = normalised(config_.norm, h, norm_);
  for (std::size_t k = 0; k < head_.size(); ++k) {
    y_ = linear(k == 0 ? y_ : activated(config_.head.activation, y_), head_[k]);
  }
  return {y_.data_ptr<float>(), static_cast<std::size_t>(y_.numel())};
}

void PlainModel::reset() {
  for (PlainLayer& layer : layers_) std::visit([](auto& block) { block.reset(); }, layer.block);
}

}  // namespace elastane::libtorch
