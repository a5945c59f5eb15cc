// Real-time code only.
#include "elastane/core/network/step.h"

#include <cmath>
#include <cstring>

#include "elastane/core/base/denormals.h"
#include "elastane/core/network/step_parts.h"

namespace elastane {
namespace {

// x̂ = (x − level)/scale; missing and non-finite values do not get past here
void normalise(const Network& network, const Sample& sample, const StateView& state, float* out,
               AdvanceReport& report) {
  const ModelConfig& config = network.config;
  const bool running = config.normaliser.kind == NormaliserKind::running;
  const auto given = static_cast<int>(sample.x.size());
  const auto masked = static_cast<int>(sample.present.size());
  float* last = state.last();
  for (int i = 0; i < config.inputs; ++i) {
    ChannelStatistics& statistics = state.statistics()[i];
    const bool offered = i < given && (i >= masked || sample.present[i] != 0);
    const bool present = offered && std::fabs(sample.x[i]) <= kStateLimit;
    report.missing += present ? 0 : 1;
    report.not_finite += offered && !present ? 1 : 0;
    if (present) {
      last[i] = sample.x[i];
      if (running) observe(config.normaliser.decay, sample.x[i], statistics);
    }
    float value = present || config.missing == Missing::hold ? last[i] : 0.0F;
    if (running) {
      const bool known = statistics.samples > 0 && (present || config.missing == Missing::hold);
      value = known ? static_cast<float>((last[i] - statistics.level) / scale(config.normaliser.epsilon, statistics))
                    : 0.0F;
    }
    out[i] = value;
    if (config.mask_input) out[config.inputs + i] = present ? 1.0F : 0.0F;
  }
}

// fills the tile: where each row's state lies and what time it is there
void begin(const Network& network, std::span<const Sample> samples, std::byte* const* states, Workspace& ws,
           AdvanceReport& report) {
  for (std::size_t r = 0; r < samples.size(); ++r) {
    const StateView state(states[r], network.layout);
    float dt = samples[r].dt;
    if (!(dt >= 0.0F && dt <= kLongestStep)) {
      dt = dt > kLongestStep ? kLongestStep : 1.0F;
      report.time_ignored = true;
    }
    // position and time can be committed at once: rows of one stream follow each other here
    StateHeader& header = state.header();
    float* log = ws.slow_log[static_cast<int>(r)];
    for (const SlowPart& part : network.layout.slow_parts) log[part.log] = 0;
    ws.row[r] = {state.dense(), state.ring(), state.slow(), log, header.position, header.time, dt};
    header.position += 1;
    header.time += dt;
  }
}

// kept, so that the step can be decoded again from a corrected state
void keep_encoded(const Kernels& k, const float* h, int n, const StateView& state) {
  float* kept = state.encoded();
  std::memcpy(kept, h, sizeof(float) * static_cast<std::size_t>(n));
  k.bound(kStateLimit, kept, n);
}

// norm(h), in `room` unless it is h itself
ConstRows normed(const Network& network, const NormWeights& norm, Rows h, Rows room) {
  if (norm.kind == Norm::none) return h;
  apply_norm(network, norm, h, room);
  return room;
}

// o = block(u)
template <class Block>
void run_block(const Block& block, const BlockCall& call, bool independent) {
  const int rows = call.u.count;
  project(block, call);
  if (independent) {
    advance(block, call, 0, rows);
    read(block, call, 0, rows);
  } else {
    for (int r = 0, n = 0; r < rows; r += n) {
      n = together(block, call, r);
      advance(block, call, r, n);
      read(block, call, r, n);
    }
  }
  finish(block, call);
  charge(block, call);
}

// the level and scale that outputs standing for an input get back; kept per row, because statistics change within a chunk
void keep_scales(const Network& network, const StateView& state, LevelScale* kept) {
  const NormaliserConfig& normaliser = network.config.normaliser;
  for (std::size_t j = 0; j < normaliser.restore.size(); ++j) {
    if (normaliser.restore[j] < 0) continue;
    const ChannelStatistics& s = state.statistics()[normaliser.restore[j]];
    kept[j] = {s.level, scale(normaliser.epsilon, s)};
  }
}

// y_j ← level + scale·y_j
void restore_outputs(const Network& network, const LevelScale* kept, float* y) {
  const std::vector<int>& restore = network.config.normaliser.restore;
  for (std::size_t j = 0; j < restore.size(); ++j) {
    if (restore[j] >= 0) y[j] = static_cast<float>(kept[j].level + kept[j].scale * y[j]);
  }
}

}  // namespace

AdvanceReport begin_report(Workspace& ws) {
  for (int i = 0; i < ws.block_count(); ++i) ws.blocks[i] = {};
  AdvanceReport report;
  report.blocks = {ws.blocks, static_cast<std::size_t>(ws.block_count())};
  return report;
}

void apply_norm(const Network& network, const NormWeights& norm, ConstRows h, Rows u) {
  const int width = network.config.width;
  for (int r = 0; r < h.count; ++r) {
    switch (norm.kind) {
      case Norm::none: std::memcpy(u[r], h[r], sizeof(float) * static_cast<std::size_t>(h.stride)); break;
      case Norm::rms: network.k->rms_norm(h[r], norm.weight, width, u[r]); break;
      case Norm::layer: network.k->layer_norm(h[r], norm.weight, norm.bias, width, u[r]); break;
    }
  }
}

void mix_in(const Network& network, const Layer& layer, Rows o, float* scratch, Rows h) {
  const Kernels& k = *network.k;
  const int width = padded(network.config.width);
  Rows mixed = o;
  if (layer.post != Activation::none) {
    for (int r = 0; r < o.count; ++r) k.activate(layer.post, o[r], o.stride);
  }
  if (layer.mix != Mix::none) {
    mixed = {scratch, o.count, layer.mix_weight.rows};
    k.linear(layer.mix_weight, layer.mix_bias, o, mixed);
  }
  for (int r = 0; r < o.count; ++r) {
    float* m = mixed[r];
    if (layer.mix == Mix::glu) k.gated_linear_unit(m, m + width, m, width);
    if (layer.residual) {
      k.add(m, h[r], width);
    } else {
      std::memcpy(h[r], m, sizeof(float) * static_cast<std::size_t>(width));
    }
  }
}

void encode_tile(const Network& network, std::span<const Sample> samples, std::byte* const* states, Workspace& ws,
                 AdvanceReport& report) {
  const int rows = static_cast<int>(samples.size());
  const Rows input = ws.input.slice(0, rows), h = ws.hidden.slice(0, rows);
  begin(network, samples, states, ws, report);
  const int restored = static_cast<int>(network.config.normaliser.restore.size());
  for (int r = 0; r < rows; ++r) {
    const StateView state(states[r], network.layout);
    normalise(network, samples[r], state, input[r], report);
    keep_scales(network, state, ws.restored + r * restored);
  }
  if (network.config.ends == Ends::dense) {
    network.k->linear(network.encoder, network.encoder_bias, input, h);
  } else {
    for (int r = 0; r < rows; ++r) std::memcpy(h[r], input[r], sizeof(float) * static_cast<std::size_t>(h.stride));
  }
  for (int r = 0; r < rows; ++r) keep_encoded(*network.k, h[r], h.stride, {states[r], network.layout});
}

void run_layer(const Network& network, std::size_t index, bool independent, Rows h, Workspace& ws,
               const ElasticOptions& elastic, AdvanceReport& report) {
  const Layer& layer = network.layers[index];
  const Rows o = ws.readout.slice(0, h.count);
  const ConstRows u = normed(network, layer.norm, h, ws.normed.slice(0, h.count));
  BlockReport did;
  visit_block(layer.block, [&](const auto& block) {
    run_block(block, {*network.k, ws.row, u, ws.scratch, o, did, elastic.of(index)}, independent);
  });
  mix_in(network, layer, o, ws.scratch, h);
  ws.blocks[index] += did;
  report.macs += did.macs;
}

void decode_tile(const Network& network, Rows h, Workspace& ws, AdvanceReport& report) {
  const ConstRows u = normed(network, network.norm, h, ws.normed.slice(0, h.count));
  const Rows y = ws.output.slice(0, h.count);
  if (network.config.ends == Ends::dense) {
    read(network.head, *network.k, u, ws.scratch, y);
  } else {
    for (int r = 0; r < h.count; ++r) std::memcpy(y[r], u[r], sizeof(float) * static_cast<std::size_t>(y.stride));
  }
  const int restored = static_cast<int>(network.config.normaliser.restore.size());
  for (int r = 0; r < h.count; ++r) restore_outputs(network, ws.restored + r * restored, y[r]);
  report.macs += h.count * network.dense_macs;
}

void advance(const Network& network, std::span<const Sample> samples, std::byte* const* states, bool independent,
             Workspace& ws, AdvanceReport& report, const ElasticOptions& elastic) {
  const FlushDenormals flush;
  encode_tile(network, samples, states, ws, report);
  const Rows h = ws.hidden.slice(0, static_cast<int>(samples.size()));
  for (std::size_t i = 0; i < network.layers.size(); ++i) run_layer(network, i, independent, h, ws, elastic, report);
  decode_tile(network, h, ws, report);
}

}  // namespace elastane
