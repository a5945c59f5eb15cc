#include "elastane/train/sequence_model.h"

#include <ATen/Parallel.h>

#include <cmath>
#include <stdexcept>

#include "elastane/core/backbone/custom_block.h"
#include "elastane/core/backbone/normaliser.h"

namespace elastane::train {

using at::Tensor;

at::Tensor activate(Activation kind, const Tensor& x) {
  switch (kind) {
    case Activation::none: return x;
    case Activation::tanh: return at::tanh(x);
    case Activation::silu: return at::silu(x);
    case Activation::gelu: return at::gelu(x);
  }
  return x;
}

at::Tensor start_of(const Scope& weights, std::string_view name, const Tensor& like, std::int64_t batch,
                    std::vector<std::int64_t> shape) {
  shape.insert(shape.begin(), batch);
  return weights.contains(name) ? weights[name].unsqueeze(0).expand(shape) : at::zeros(shape, like.options());
}

std::unique_ptr<Block> twin(const CustomConfig& config, int, Scope) {
  throw std::invalid_argument("[train] blocks: \"" + std::string(config.kind->name()) +
                              "\" is a custom kind, which has no twin here; train it with your own program");
}

Result<SequenceModel> SequenceModel::create(const ModelConfig& config, std::span<const elastane::Tensor> tensors,
                                            at::ScalarType type, std::string_view source) {
  auto weights = Weights::create(config, tensors, type, source);
  if (!weights) return Error{weights.error()};
  return SequenceModel(config, *std::move(weights), type);
}

SequenceModel::SequenceModel(const ModelConfig& config, Weights weights, at::ScalarType type)
    : config_(config), weights_(std::make_unique<Weights>(std::move(weights))), type_(type) {
  for (std::size_t i = 0; i < config.blocks.size(); ++i) {
    const BlockConfig& block = config.blocks[i];
    const Scope scope(*weights_, "blocks." + std::to_string(i) + ".");
    layers_.push_back(
        {block, scope,
         std::visit([&](const auto& kind) { return twin(kind, config.width, scope.below(block_name(block))); },
                    block.kind),
         attention_});
    attention_ += std::holds_alternative<AttentionConfig>(block.kind) ? 1 : 0;
  }
}

void SequenceModel::constrain() const {
  for (const Layer& layer : layers_) layer.block->constrain();
}

SequenceState SequenceModel::start(std::int64_t streams) const {
  const auto real = at::TensorOptions(type_);
  SequenceState state = {.position = at::zeros({streams}, at::kLong),
                         .time = at::zeros({streams}, at::kDouble),
                         .statistics = at::zeros({streams, config_.inputs, 3}, at::kDouble),
                         .last = at::zeros({streams, config_.inputs}, real),
                         .encoded = at::zeros({streams, config_.width}, real)};
  for (const Layer& layer : layers_) state.blocks.push_back(layer.block->start(streams));
  return state;
}

// Values in, nothing to derive: the same arithmetic as the core's, stream by stream
SequenceModel::Inputs SequenceModel::normalise(const Sequences& sequences, SequenceState& state) const {
  const std::int64_t batch = sequences.x.size(0), length = sequences.x.size(1), inputs = config_.inputs;
  TORCH_CHECK(sequences.x.dim() == 3 && sequences.x.size(2) == inputs, "[train] expected inputs (batch, length, ",
              inputs, "), found ", sequences.x.sizes());
  TORCH_CHECK(state.streams() == batch, "[train] expected states of ", batch, " streams, found ", state.streams());
  const bool running = config_.normaliser.kind == NormaliserKind::running, hold = config_.missing == Missing::hold;
  const Tensor x = sequences.x.detach().to(at::kFloat).contiguous();
  const Tensor present = sequences.present.defined() ? sequences.present.to(at::kBool).contiguous() : Tensor();
  const Tensor seen = at::empty({batch, length, config_.mask_input ? 2 * inputs : inputs}, at::kDouble);
  const Tensor level = at::zeros({batch, length, inputs}, at::kDouble), scales = at::ones_like(level);
  const Tensor statistics = state.statistics.clone(), last = state.last.to(at::kDouble).clone();
  at::parallel_for(0, batch, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin * length * inputs; k < end * length * inputs; ++k) {
      const std::int64_t row = k / (length * inputs), step = k / inputs, channel = k % inputs;
      auto& s = *reinterpret_cast<ChannelStatistics*>(statistics.data_ptr<double>() + (row * inputs + channel) * 3);
      double& held = last.data_ptr<double>()[row * inputs + channel];
      const float value = x.data_ptr<float>()[k];
      const bool here = std::fabs(value) <= kStateLimit && (!present.defined() || present.data_ptr<bool>()[k]);
      if (here) held = value;
      if (here && running) observe(config_.normaliser.decay, value, s);
      double out = here || hold ? held : 0.0;
      if (running) {
        scales.data_ptr<double>()[k] = elastane::scale(config_.normaliser.epsilon, s);
        level.data_ptr<double>()[k] = s.level;
        out = s.samples > 0 && (here || hold) ? (held - s.level) / scales.data_ptr<double>()[k] : 0.0;
      }
      double* to = seen.data_ptr<double>() + step * seen.size(2);
      to[channel] = out;
      if (config_.mask_input) to[inputs + channel] = here ? 1.0 : 0.0;
    }
  });
  state.statistics = statistics;
  state.last = last.to(type_);
  return {seen.to(type_), level, scales};
}

Tensor SequenceModel::norm(Norm kind, const Scope& scope, const Tensor& h) const {
  switch (kind) {
    case Norm::none: return h;
    case Norm::rms: return scope["weight"] * h * at::rsqrt(h.square().mean(-1, /*keepdim=*/true) + kNormEpsilon);
    case Norm::layer: {
      // in plain operations: the third derivatives of at::layer_norm, which the corrector needs, are wrong in
      // LibTorch 1.13
      const Tensor centred = h - h.mean(-1, /*keepdim=*/true);
      const Tensor scale = at::rsqrt(centred.square().mean(-1, /*keepdim=*/true) + kNormEpsilon);
      return scope["weight"] * centred * scale + scope["bias"];
    }
  }
  return h;
}

// h + mix(post(o))
Tensor SequenceModel::mix_in(const Layer& layer, const Tensor& o, const Tensor& h) const {
  Tensor mixed = activate(layer.config.post, o);
  if (layer.config.mix != Mix::none) mixed = at::linear(mixed, layer.weights["mix.weight"], layer.weights["mix.bias"]);
  if (layer.config.mix == Mix::glu) mixed = at::glu(mixed, -1);
  return layer.config.residual ? h + mixed : mixed;
}

Tensor SequenceModel::head(const Tensor& h) const {
  Tensor y = norm(config_.norm, Scope(*weights_, "norm."), h);
  if (config_.ends == Ends::none) return y;
  const std::size_t layers = config_.head.hidden.size() + 1;
  for (std::size_t k = 0; k < layers; ++k) {
    const Scope scope(*weights_, "head." + std::to_string(k) + ".");
    y = at::linear(y, scope["weight"], scope["bias"]);
    if (k + 1 < layers) y = activate(config_.head.activation, y);
  }
  return y;
}

// y_j ← level + scale·y_j; level and scale are those of all inputs
Tensor SequenceModel::restored(const Tensor& y, const Tensor& level, const Tensor& scale) const {
  const std::vector<int>& restore = config_.normaliser.restore;
  if (restore.empty()) return y;
  std::vector<std::int64_t> index;
  std::vector<double> chosen;
  for (const int c : restore) {
    index.push_back(c >= 0 ? c : 0);
    chosen.push_back(c >= 0 ? 1.0 : 0.0);
  }
  const Tensor which = at::tensor(index), given = at::tensor(chosen, at::kDouble);
  const Tensor own_level = level.index_select(-1, which) * given;
  const Tensor own_scale = scale.index_select(-1, which) * given + (1 - given);
  return (own_level + own_scale * y).to(type_);
}

// each block's o = block(i, u), mixed into h one after the other
template <class F>
Tensor SequenceModel::through_blocks(Tensor h, F block) const {
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const Layer& layer = layers_[i];
    h = mix_in(layer, block(i, norm(layer.config.norm, layer.weights.below("norm"), h)), h);
  }
  return h;
}

Forward SequenceModel::forward(const Sequences& sequences, const SequenceState& state, HeadModes* modes) const {
  const std::int64_t length = sequences.x.size(1);
  Forward result = {{}, state};
  SequenceState& next = result.state;
  const Inputs inputs = normalise(sequences, next);

  const Tensor dt = sequences.dt.defined() ? sequences.dt.to(at::kDouble) : Tensor();
  Steps steps = {.dt = dt.defined() ? dt.to(type_) : Tensor(), .time = {}, .position = state.position};
  const Tensor passed = dt.defined() ? dt.cumsum(1) : at::arange(1, length + 1, at::kDouble).unsqueeze(0);
  steps.time = state.time.unsqueeze(1) + passed;
  next.position = state.position + length;
  next.time = steps.time.select(1, length - 1);

  Tensor h = config_.ends == Ends::none
                 ? inputs.seen
                 : at::linear(inputs.seen, (*weights_)["encoder.weight"], (*weights_)["encoder.bias"]);
  next.encoded = h.select(1, length - 1);
  steps.modes = modes;
  steps.recursion = recursion_;
  h = through_blocks(h, [&](std::size_t i, const Tensor& u) {
    steps.attention = layers_[i].attention;
    return layers_[i].block->forward(u, steps, next.blocks[i]);
  });
  result.y = restored(head(h), inputs.level, inputs.scale);
  return result;
}

Tensor SequenceModel::decode(const SequenceState& state) const {
  const Steps now = {.dt = {}, .time = state.time.unsqueeze(1), .position = state.position};
  const Tensor h = through_blocks(
      state.encoded, [&](std::size_t i, const Tensor& u) { return layers_[i].block->read(u, now, state.blocks[i]); });
  const Tensor scale = at::sqrt(state.statistics.select(-1, 1) + config_.normaliser.epsilon);
  return restored(head(h), state.statistics.select(-1, 0), scale);
}

Tensor SequenceModel::latents(const SequenceState& state) const {
  std::vector<Tensor> parts;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    for (int k = 0; k < layers_[i].block->latents(); ++k) parts.push_back(state.blocks[i][k].flatten(1));
  }
  return parts.empty() ? at::zeros({state.streams(), 0}, type_) : at::cat(parts, 1);
}

SequenceState SequenceModel::settled(const SequenceState& state) const {
  const Steps now = {.dt = {}, .time = state.time.unsqueeze(1), .position = state.position};
  SequenceState whole = state;
  through_blocks(state.encoded, [&](std::size_t i, const Tensor& u) {
    layers_[i].block->rewrite(u, now, whole.blocks[i]);
    return layers_[i].block->read(u, now, whole.blocks[i]);
  });
  return whole;
}

SequenceState SequenceModel::with_latents(const SequenceState& state, const Tensor& z) const {
  SequenceState changed = state;
  std::int64_t at = 0;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    for (int k = 0; k < layers_[i].block->latents(); ++k) {
      Tensor& part = changed.blocks[i][k];
      const std::int64_t size = part[0].numel();
      part = z.narrow(1, at, size).view_as(part);
      at += size;
    }
  }
  return changed;
}

}  // namespace elastane::train
