// What a stream does outside its steps: creation, snapshots, going back.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "elastane/core/stream/snapshot.h"
#include "elastane/core/stream/stream.h"
#include "elastane/core/stream/stream_engine.h"

namespace elastane {

History::History(const Network& network, int depth, std::size_t extra)
    : depth_(depth > 0 ? depth : 0),
      extra_(extra),
      entry_bytes_(round_up(network.layout.ring + sizeof(float) * static_cast<std::size_t>(network.layout.slot_floats +
                                                                                           network.layout.log_floats),
                            kAlignment) +
                   extra),
      entries_(static_cast<std::size_t>(depth_) * entry_bytes_) {}

LateLabels::LateLabels(int inputs, int outputs, int depth)
    : inputs_(inputs),
      outputs_(outputs),
      depth_(std::max(depth, 0)),
      x_(static_cast<std::size_t>(inputs) * depth_),
      labels_(static_cast<std::size_t>(outputs) * depth_),
      present_(static_cast<std::size_t>(inputs) * depth_),
      fixed_(depth_) {}

namespace {

Error wrong(const std::string& what) { return Error{"[stream] " + what}; }

Status check_noise(const std::vector<float>& noise, const Model& model) {
  if (noise.size() > 1 && noise.size() != static_cast<std::size_t>(model.outputs())) {
    return wrong("noise: expected 0, 1 or " + std::to_string(model.outputs()) + " values, found " +
                 std::to_string(noise.size()));
  }
  for (const float sigma : noise) {
    if (!(sigma > 0) || !std::isfinite(sigma)) {
      return wrong("noise: expected values above 0, found " + std::to_string(sigma));
    }
  }
  return {};
}

// a corrector differentiates what a head reads, and rewrites the key of the last step
Status check_attention(const Attention* block) {
  if (block == nullptr) return {};
  if (block->shape.bfloat16) {
    return wrong("a corrector needs keys in float32; leave it out, or leave out bfloat16_cache");
  }
  if (block->chooses) {
    return wrong("a corrector cannot follow heads in mode blocks; leave it out, or use the modes full and stream");
  }
  return {};
}

// can a corrector work on this model?
Status check_blocks(const Model& model) {
  if (model.network().latents == 0) {
    return wrong("a corrector moves recurrent states, and this model has no recurrent block; leave it out");
  }
  if (model.config().ends == Ends::none) {
    return wrong("a corrector needs an encoder and a head, and this model has ends none; leave it out");
  }
  for (const Layer& layer : model.network().layers) {
    bool described = true;
    visit_block(layer.block, [&](const auto& block) { described = is_described(block); });
    if (std::holds_alternative<Delta>(layer.block)) {
      return wrong("a corrector has no description of delta blocks yet; leave the corrector out, or the block");
    }
    if (!described) {
      return wrong(
          "a corrector needs the description of every block; a custom block without CustomBlock::describe and a "
          "recursion over cells have none; leave the corrector out");
    }
    if (Status s = check_attention(std::get_if<Attention>(&layer.block)); !s) return s;
  }
  return {};
}

Status check_latent(const LatentOptions& latent, const Model& model) {
  if (latent.judged < 0 || latent.judged > model.outputs()) {
    return wrong("judged: expected 0 to " + std::to_string(model.outputs()) + " outputs, found " +
                 std::to_string(latent.judged));
  }
  if (!(latent.fade >= 0 && latent.fade <= 1)) {
    return wrong("fade: expected a share from 0 to 1, found " + std::to_string(latent.fade));
  }
  return {};
}

Status check_metric(Metric metric, const PersistentLayout& c, const Model& model) {
  if (metric == Metric::native) {
    return wrong("metric: native is for latents that solve for themselves, which a network does not");
  }
  if (metric != Metric::learned) return {};
  if (!model.config().metric.present) {
    return wrong("metric: learned is not in this model file; train one, or use another metric");
  }
  if (c.output_gain || c.output_bias || c.readout_rank > 0 || c.input_gain || c.input_bias || c.time_scale) {
    return wrong("metric: learned does not cover persistent coordinates; use exact, or leave them out");
  }
  return {};
}

Status check_gate(const LearnedGate& gate) {
  if (!gate.present()) {
    return wrong("gate: expected a learned gate, found none; load one, or use another kind of gate");
  }
  if (Status sound = validate(gate); !sound) return sound;
  if (gate.features() != kOwnGateFeatures) {
    return wrong("gate: expected one of " + std::to_string(kOwnGateFeatures) + " features, found " +
                 std::to_string(gate.features()) + "; a network adds no features");
  }
  return {};
}

// one number per coordinate, or none
Status check_per_coordinate(const char* name, const std::vector<double>& values, double least, std::size_t count) {
  if (!values.empty() && values.size() != count) {
    return wrong("persistent." + std::string(name) + ": expected 0 or " + std::to_string(count) +
                 " values, one per coordinate, found " + std::to_string(values.size()));
  }
  for (const double value : values) {
    if (!(value >= least && value < 1e12)) {
      return wrong("persistent." + std::string(name) + ": expected variances above 0 and noises of at least 0, found " +
                   std::to_string(value));
    }
  }
  return {};
}

Status check_persistent(const PersistentOptions& persistent, const Model& model) {
  const PersistentLayout& c = persistent.coordinates;
  if (c.adapted_inputs < 0 || c.adapted_inputs > model.inputs()) {
    return wrong("persistent.adapted_inputs: expected 0 to " + std::to_string(model.inputs()) + ", found " +
                 std::to_string(c.adapted_inputs));
  }
  const auto positive = [](double v) { return v > 0 && v < 1e12; };
  if (!positive(persistent.latent_variance) || !positive(persistent.variance) || !(persistent.noise >= 0) ||
      !(persistent.noise < 1e12)) {
    return wrong("persistent: expected variances above 0 and a noise of at least 0");
  }
  if (!(persistent.leak > 0 && persistent.leak <= 1)) {
    return wrong("persistent.leak: expected above 0, at most 1, found " + std::to_string(persistent.leak));
  }
  if (!(persistent.alarm >= 0) || !(persistent.alarm_memory >= 1)) {
    return wrong("persistent: expected an alarm of at least 0 and an alarm_memory of at least 1");
  }
  if (c.readout_rank < 0) {
    return wrong("persistent.readout_rank: expected at least 0, found " + std::to_string(c.readout_rank));
  }
  const auto count = static_cast<std::size_t>(coordinate_count(model, c));
  if (Status s = check_per_coordinate("variances", persistent.variances, 1e-300, count); !s) return s;
  return check_per_coordinate("noises", persistent.noises, 0.0, count);
}

}  // namespace

Status validate(const StreamOptions& options, const Model& model) {
  if (Status s = check_noise(options.noise, model); !s) return s;
  if (Status s = validate(options.router, model); !s) return s;
  if (options.prefill_rows < 0 || options.prefill_workers < 1) {
    return wrong("expected prefill_rows of at least 0 and prefill_workers of at least 1, found " +
                 std::to_string(options.prefill_rows) + " and " + std::to_string(options.prefill_workers));
  }
  if (Status s = validate(options.guard); !s) return s;
  if (!options.corrector) return {};
  const CorrectorOptions& corrector = *options.corrector;
  const PersistentOptions& persistent = options.latent.persistent;
  if (Status s = check_blocks(model); !s) return s;
  if (Status s = check_latent(options.latent, model); !s) return s;
  if (Status s = check_metric(corrector.metric.kind, persistent.coordinates, model); !s) return s;
  if (corrector.gate.kind == Gate::learned) {
    if (Status s = check_gate(options.gate); !s) return s;
  }
  if (Status s = check_persistent(persistent, model); !s) return s;
  return validate(corrector);
}

namespace {

const StreamOptions& checked(const StreamOptions& options, const Model& model) {
  validate(options, model).value();
  return options;
}

std::optional<StreamCorrector> make_correction(const Model& model, const StreamOptions& options) {
  if (!options.corrector) return std::nullopt;
  return StreamCorrector(model, *options.corrector, options.latent, options.gate);
}

std::size_t own_bytes(const std::optional<StreamCorrector>& correction) {
  return correction ? correction->state_doubles() * sizeof(double) : 0;
}

// a guard is for corrections that last
std::optional<StreamGuard> make_guard(const Model& model, const StreamOptions& options,
                                      const std::optional<StreamCorrector>& correction) {
  if (!correction || options.guard.kind == GuardKind::off) return std::nullopt;
  const bool lasts = coordinate_count(model, options.latent.persistent.coordinates) > 0;
  if (options.guard.kind == GuardKind::automatic && !lasts) return std::nullopt;
  LossGuardOptions guard = options.guard;
  if (guard.kind == GuardKind::automatic) guard.kind = GuardKind::switched;
  return StreamGuard(guard, model.network(), model.network().layout.size + own_bytes(correction),
                     options.latent.judged);
}

std::size_t guard_bytes(const std::optional<StreamGuard>& guard) {
  return guard ? guard->doubles_bytes() + guard->twin_bytes() : 0;
}

std::vector<float> noise_of(const StreamOptions& options, const Model& model) {
  if (!options.noise.empty()) return options.noise;
  const std::vector<double>& measured = model.config().noise;
  return measured.empty() ? std::vector<float>{1.0F} : std::vector<float>(measured.begin(), measured.end());
}

}  // namespace

StreamEngine::StreamEngine(const Model& model, const StreamOptions& options)
    : model_(model),
      routing_(checked(options, model).router, options.attention, options.recursion, model),
      correction_(make_correction(model, options)),
      guard_(make_guard(model, options, correction_)),
      noise_(noise_of(options, model)),
      state_(model.network().layout.size + own_bytes(correction_) + guard_bytes(guard_)),
      workspace_(model.network(), kChunkRows),
      prefill_(model.network(), options.prefill_rows, options.prefill_workers),
      history_(model.network(), options.history, own_bytes(correction_) + (guard_ ? guard_->doubles_bytes() : 0)),
      twin_history_(model.network(), guard_ ? options.history : 0),
      labels_(model.inputs(), model.outputs(), correction_ ? options.history : 0) {
  reset();
}

Status StreamEngine::rewind(int n) {
  if (n < 0 || n > history_.kept()) {
    return Error{"[rewind] expected 0 to " + std::to_string(history_.kept()) + " steps, found " + std::to_string(n) +
                 "; the stream was created with history = " + std::to_string(history_.depth())};
  }
  take_back(n);
  if (correction_) correction_->forget();
  return {};
}

std::uint64_t StreamEngine::fingerprint() const {
  const std::uint64_t own = model_.fingerprint() ^ routing_.fingerprint();
  const std::uint64_t corrected = correction_ ? own ^ correction_->fingerprint() : own;
  return guard_ ? corrected ^ guard_->fingerprint() : corrected;
}

std::size_t StreamEngine::snapshot_bytes() const {
  return elastane::snapshot_bytes(state_.size(), output().size_bytes());
}

Status StreamEngine::snapshot(std::span<std::byte> bytes) const {
  if (bytes.size() != snapshot_bytes()) {
    return Error{"[snapshot] expected room for " + std::to_string(snapshot_bytes()) + " bytes, found " +
                 std::to_string(bytes.size())};
  }
  write_snapshot(fingerprint(), state(), output(), bytes);
  return {};
}

Status StreamEngine::restore(std::span<const std::byte> bytes) {
  const auto view =
      read_snapshot(bytes, model_.network(), fingerprint(), state_.size(), guard_ ? guard_->twin_begin() : 0);
  if (!view) return Error{view.error()};
  std::memcpy(state_.data(), view->state.data(), view->state.size());
  std::memcpy(workspace_.output[0], view->output.data(), view->output.size());
  history_.clear();
  if (guard_) {
    const std::size_t outputs = output().size();
    guard_->recall(state_.data(), {workspace_.output[0], outputs}, {workspace_.output[1], outputs});
    std::memcpy(guard_->mutable_spoken().data(), view->output.data(), view->output.size());
    twin_history_.clear();
  }
  if (correction_) correction_->forget();
  return {};
}

Stream::Stream(const Model& model, const StreamOptions& options) : engine_(Owned<StreamEngine>::make(model, options)) {}

Result<Stream> Stream::create(const Model& model, const StreamOptions& options) {
  if (const Status valid = validate(options, model); !valid) return Error{valid.error()};
  return Stream(model, options);
}

Status Stream::rewind(int n) { return engine_->rewind(n); }
std::size_t Stream::snapshot_bytes() const { return engine_->snapshot_bytes(); }
Status Stream::snapshot(std::span<std::byte> bytes) const { return engine_->snapshot(bytes); }
Status Stream::restore(std::span<const std::byte> bytes) { return engine_->restore(bytes); }

}  // namespace elastane
