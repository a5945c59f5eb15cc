#include "elastane/core/network/model.h"

#include <algorithm>
#include <cstring>
#include <sstream>

#include "elastane/core/base/checksum.h"
#include "elastane/core/network/network.h"

namespace elastane {
namespace {

NormWeights bind_norm(Norm kind, int width, Binder& binder) {
  NormWeights norm{.kind = kind, .weight = nullptr, .bias = nullptr};
  if (kind != Norm::none) norm.weight = binder.vector("norm.weight", {width}, constant(1.0));
  if (kind == Norm::layer) norm.bias = binder.vector("norm.bias", {width}, constant(0.0));
  return norm;
}

Layer bind_layer(const BlockConfig& config, int index, const ModelConfig& model, Binder& binder) {
  const std::string prefix = "blocks." + std::to_string(index) + ".";
  Layer layer{};
  layer.post = config.post;
  layer.mix = config.mix;
  layer.residual = config.residual;
  binder.enter(prefix);
  layer.norm = bind_norm(config.norm, model.width, binder);
  binder.enter(prefix + std::string(block_name(config)) + ".");
  std::visit([&](const auto& kind) { layer.block = bind(kind, model.width, model.learned_start, binder); },
             config.kind);
  if (config.mix != Mix::none) {
    int out = 0;
    visit_block(layer.block, [&](const auto& block) { out = block.out_size(); });
    const int w = model.width;
    const auto start = uniform(1.0 / std::sqrt(static_cast<double>(out)));
    binder.enter(prefix);
    if (config.mix == Mix::linear) {
      layer.mix_weight = binder.matrix("mix.weight", {w}, out);
      layer.mix_bias = binder.vector("mix.bias", {w}, start);
    } else {
      layer.mix_weight = binder.matrix("mix.weight", {w, w}, out);
      layer.mix_bias = binder.vector("mix.bias", {w, w}, start);
    }
  }
  return layer;
}

// s and L in the order of the latents
void bind_metric(int rank, Binder& binder, Network& network) {
  const int d = network.latents, stride = double_stride(d);
  binder.enter("metric.");
  const auto s = binder.tensor("diagonal", {d}, constant(std::log(std::expm1(1.0))));  // G ≈ I at the start
  // small but not zero, because at zero its gradient would be zero too
  const auto l = binder.tensor("factor", {d, rank},
                               [](Random& random, std::size_t) { return static_cast<float>(0.1 * random.normal()); });
  // one more lane, so that vectors may begin anywhere
  network.metric_diagonal = binder.doubles(stride + kDoubleLane, [&](int i) {
    return i < d ? std::fmax(std::log1p(std::exp(std::fmin(s[i], 30.0F))), 1e-6) : 1.0;
  });
  network.metric_factor = binder.doubles(rank * stride + kDoubleLane, [&](int i) {
    const int row = i / stride, column = i % stride;
    return row < rank && column < d ? static_cast<double>(l[column * rank + row]) : 0.0;
  });
}

// declares every tensor, in the order of a step
void bind_network(const ModelConfig& config, Binder& binder, Network& network) {
  const int seen = config.inputs * (config.mask_input ? 2 : 1);
  if (config.ends == Ends::dense) {
    binder.enter("encoder.");
    network.encoder = binder.matrix("weight", {config.width}, seen);
    network.encoder_bias = binder.vector("bias", {config.width}, uniform(1.0 / std::sqrt(static_cast<double>(seen))));
  }
  network.layers.clear();
  for (std::size_t i = 0; i < config.blocks.size(); ++i) {
    network.layers.push_back(bind_layer(config.blocks[i], static_cast<int>(i), config, binder));
  }
  binder.enter("");
  network.norm = bind_norm(config.norm, config.width, binder);
  if (config.ends == Ends::dense) network.head = bind(config.head, config.width, config.outputs, binder);
  network.latents = 0;
  for (const Layer& layer : network.layers) {
    visit_block(layer.block, [&](const auto& block) { network.latents += block.latents(); });
  }
  if (config.metric.present) bind_metric(config.metric.rank, binder, network);
}

// gives a block its place in every class of the state
template <class Block>
void place(StateLayout& layout, StateSlot& end, Block& block) {
  const StateClasses classes = block.state();
  block.slot = end;
  for (RingPart part : classes.rings) {
    part.begin += end.ring;
    layout.rings.push_back(part);
    layout.slot_floats += part.count;
  }
  if (classes.slow.rows > 0) {
    layout.slow_parts.push_back({.shape = classes.slow, .begin = end.slow, .log = end.log});
  }
  end.dense += classes.dense;
  end.ring += padded(classes.ring);
  end.slow += padded(classes.slow.floats());
  end.log += classes.slow.log_floats();
}

// where each part of the state lies, and how much scratch the widest part needs
void lay_out(Network& network) {
  const auto channels = static_cast<std::size_t>(network.config.inputs);
  StateLayout& layout = network.layout;
  layout.last = layout.statistics + round_up(channels * sizeof(ChannelStatistics), kAlignment);
  layout.encoded = layout.last + round_up(channels * sizeof(float), kAlignment);
  layout.dense = layout.encoded + sizeof(float) * static_cast<std::size_t>(padded(network.config.width));
  network.readout_floats = padded(network.config.width);
  StateSlot end;
  for (Layer& layer : network.layers) {
    std::visit(
        [&](auto& block) {
          place(layout, end, block);
          network.readout_floats = std::max(network.readout_floats, padded(block.out_size()));
        },
        layer.block);
  }
  layout.log_floats = end.log;
  layout.ring = layout.dense + static_cast<std::size_t>(end.dense) * sizeof(float);
  layout.slow = layout.ring + static_cast<std::size_t>(end.ring) * sizeof(float);
  layout.size = layout.slow + static_cast<std::size_t>(end.slow) * sizeof(float);
}

void count_macs(Network& network) {
  const auto size = [](const PackedMatrix& w) { return std::int64_t{w.rows} * w.cols; };
  network.dense_macs = size(network.encoder);
  std::int64_t blocks = 0;
  for (const Layer& layer : network.layers) {
    visit_block(layer.block, [&](const auto& block) { blocks += block.macs(); });
    network.dense_macs += size(layer.mix_weight);
  }
  for (const HeadLayer& layer : network.head.layers) network.dense_macs += size(layer.weight);
  network.macs = network.dense_macs + blocks;
}

// what each kind holds at reset, where that is not zero
void copy_start(const float* from, int floats, float* to) {
  if (from != nullptr) std::copy_n(from, floats, to);
}

void start_of(const S4d& b, float* s, float*) {
  copy_start(b.start_re, b.plane(), s);
  copy_start(b.start_im, b.plane(), s + b.plane());
}
void start_of(const Mamba& b, float* s, float*) {
  copy_start(b.start, b.states * padded(b.inner), s + b.conv_floats());
}
void start_of(const Gru& b, float* s, float*) { copy_start(b.start, padded(b.hidden), s); }
void start_of(const Lstm& b, float* s, float*) {
  copy_start(b.start_h, padded(b.hidden), s);
  copy_start(b.start_c, padded(b.hidden), s + padded(b.hidden));
}
void start_of(const Attention& b, float* s, float*) {
  for (std::size_t head = 0; head < b.modes.size(); ++head) s[head] = static_cast<float>(b.modes[head]);
}
void start_of(const Mlp&, float*, float*) {}
void start_of(const Selective& b, float* s, float*) { copy_start(b.start, padded(b.hidden), s); }
void start_of(const Recursion&, float*, float*) {}
void start_of(const Delta& b, float* s, float* slow) { start(b, s, slow); }
void start_of(const Custom& b, float* s, float* slow) { b.block->start(s, slow); }

void fill_initial_state(Network& network) {
  const StateLayout& layout = network.layout;
  network.initial = Buffer(layout.ring);  // windows start empty
  network.initial_slow = Buffer(layout.size - layout.slow);
  auto* dense = reinterpret_cast<float*>(network.initial.data() + layout.dense);
  auto* slow = reinterpret_cast<float*>(network.initial_slow.data());
  for (const Layer& layer : network.layers) {
    visit_block(layer.block,
                [&](const auto& block) { start_of(block, dense + block.slot.dense, slow + block.slot.slow); });
  }
}

// distinguishes models: names, shapes, settings that shapes do not show, then every weight
std::uint64_t fingerprint_of(const Network& network, const std::vector<TensorSpec>& specs) {
  const ModelConfig& c = network.config;
  std::ostringstream text;
  text << std::hexfloat;  // numbers to the last bit
  for (const TensorSpec& spec : specs) text << spec.name << to_string(spec.shape) << ';';
  text << c.inputs << ' ' << static_cast<int>(c.weights) << static_cast<int>(c.missing) << c.mask_input << ' '
       << static_cast<int>(c.normaliser.kind) << ' ' << c.normaliser.decay << ' ' << c.normaliser.epsilon << ' ';
  for (const int channel : c.normaliser.restore) text << channel << ',';
  text << static_cast<int>(c.head.activation);
  if (c.ends != Ends::dense) text << " no ends";
  for (const BlockConfig& block : c.blocks) {
    text << ';' << block_name(block) << static_cast<int>(block.norm) << static_cast<int>(block.post)
         << static_cast<int>(block.mix) << block.residual;
    if (const auto* s = std::get_if<S4dConfig>(&block.kind)) text << static_cast<int>(s->discretisation);
    if (const auto* m = std::get_if<MlpConfig>(&block.kind)) text << static_cast<int>(m->activation);
    if (const auto* a = std::get_if<AttentionConfig>(&block.kind)) {
      text << a->heads << ' ' << a->window << ' ' << a->rotary << ' ' << a->rotary_base;
      if (a->local > 0 || a->sink > 0) text << ' ' << a->block << ' ' << a->sink << ' ' << a->local;
      for (const HeadMode mode : a->modes) text << ' ' << static_cast<int>(mode);
      if (a->bfloat16_cache) text << " bfloat16";
    }
    if (const auto* r = std::get_if<RecursionConfig>(&block.kind)) {
      text << static_cast<int>(r->form) << static_cast<int>(r->shape) << static_cast<int>(r->start)
           << static_cast<int>(r->halt) << ' ' << r->lipschitz << ' ' << r->rows << ' ' << r->cols << ' ' << r->depth
           << ' ' << r->tolerance << ' ' << r->threshold << ' ' << r->quantile << ' ' << r->hurst;
    }
    if (const auto* d = std::get_if<DeltaConfig>(&block.kind)) {
      text << d->heads << ' ' << d->decay << static_cast<int>(d->rule) << static_cast<int>(d->write) << ' ' << d->noise
           << ' ' << d->relax << ' ' << d->inflate << ' ' << d->threshold << ' ' << d->share << ' ' << d->burst << ' '
           << d->sightings;
      if (d->form != DeltaForm::plain) text << " published";
    }
    if (const auto* custom = std::get_if<CustomConfig>(&block.kind)) {
      for (const CustomSetting& setting : custom->kind->settings()) text << setting.name << setting.value << ' ';
    }
  }
  const std::string shape = text.str();
  const std::uint64_t seed = hash64(std::as_bytes(std::span(shape)));
  return hash64({network.weights.data(), network.weights.size()}, seed);
}

}  // namespace

std::vector<TensorSpec> tensor_specs(const ModelConfig& config) {
  Binder binder(config.weights);
  Network network{};
  bind_network(config, binder, network);
  return binder.specs();
}

std::vector<Tensor> random_tensors(const ModelConfig& config, std::uint64_t seed) {
  std::vector<Tensor> tensors;
  for (const TensorSpec& spec : tensor_specs(config)) {
    // every tensor draws from its own sequence, so adding one does not change the others
    Random random(hash64(std::as_bytes(std::span(spec.name)), seed));
    Tensor tensor{.name = spec.name, .shape = spec.shape, .values = {}};
    tensor.values.resize(static_cast<std::size_t>(element_count(spec.shape)));
    for (std::size_t i = 0; i < tensor.values.size(); ++i) tensor.values[i] = spec.initialise(random, i);
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

Result<Model> Model::create(const ModelConfig& config, std::span<const Tensor> tensors, const ModelOptions& options,
                            std::string_view source) {
  const auto k = kernels(options.isa);
  if (!k) return Error{k.error()};

  auto network = std::make_shared<Network>();
  network->config = config;
  network->config.weights = options.weights.value_or(config.weights);
  if (const Status valid = validate(network->config); !valid) return Error{valid.error()};
  network->k = *k;

  Binder declare(network->config.weights);
  bind_network(network->config, declare, *network);
  if (const Status fits = check_tensors(declare.specs(), tensors, source); !fits) return Error{fits.error()};

  network->weights = Buffer(declare.bytes());
  Binder fill(network->config.weights, tensors, network->weights);
  bind_network(network->config, fill, *network);

  for (const TensorSpec& spec : declare.specs()) network->parameters += element_count(spec.shape);
  for (const Layer& layer : network->layers) {
    Status kept;
    visit_block(layer.block, [&](const auto& block) { kept = check_weights(block); });
    if (!kept) return Error{kept.error()};
  }
  lay_out(*network);
  count_macs(*network);
  fill_initial_state(*network);
  network->fingerprint = fingerprint_of(*network, declare.specs());
  return Model(std::move(network));
}

}  // namespace elastane
