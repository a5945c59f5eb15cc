#include <algorithm>
#include <sstream>
#include <string>

#include "elastane/core/base/checksum.h"
#include "elastane/core/latent/stream_corrector.h"

namespace elastane {
namespace {

StackOptions stack_options(const Model& model, const CorrectorOptions& options, const LatentOptions& latent) {
  StackOptions stack;
  stack.top_block_only = latent.top_block_only;
  stack.max_horizon = options.trust.horizon - 1;
  // as many directions at once as a metric needs, within what a cache holds
  stack.judged = latent.judged;
  stack.max_directions = std::max({options.metric.rank, std::min(model.outputs(), 32), 16});
  stack.persistent = latent.persistent.coordinates;
  return stack;
}

// with persistent coordinates, λ is a prior's inverse variance
CorrectorOptions corrector_options(CorrectorOptions options, const LatentOptions& latent, int coordinates) {
  if (coordinates > 0 && options.metric.kind != Metric::kalman) {
    options.metric.relative = false;
    options.metric.damping = 1 / latent.persistent.latent_variance;
  }
  return options;
}

// the metric of the model file; the top block's part is its end
LearnedMetric learned_metric(const Network& network, int latents) {
  if (network.metric_diagonal == nullptr || latents > network.latents) return {};
  const int first = network.latents - latents;
  return {network.metric_diagonal + first,
          {network.metric_factor + first, network.config.metric.rank, double_stride(network.latents)}};
}

}  // namespace

StreamCorrector::StreamCorrector(const Model& model, const CorrectorOptions& options, const LatentOptions& latent,
                                 const LearnedGate& gate)
    : network_bytes_(model.state_bytes()),
      inputs_(model.inputs() * (model.config().mask_input ? 2 : 1)),
      stack_(model, stack_options(model, options, latent)),
      coordinate_count_(stack_.description().persistent),
      moving_(moving_coordinates(model, latent.persistent.coordinates)),
      kalman_(options.metric.kind == Metric::kalman),
      fade_(latent.fade),
      fading_doubles_(latent.fade > 0 ? as_size(double_stride(stack_.carried())) : 0),
      persistent_options_(spelt_out(latent.persistent, coordinate_count_)),
      corrector_(corrector_options(options, latent, coordinate_count_), stack_.latents(), stack_.outputs(),
                 *model.network().k, learned_metric(model.network(), stack_.latents()), gate),
      input_(inputs_),
      z_(stack_.latents()),
      y_(stack_.outputs()),
      output_(model.outputs()),
      at_point_(stack_.outputs()),
      point_(stack_.latents()),
      before_(stack_.latents()) {
  const int d = stack_.latents();
  fingerprint_ = make_fingerprint();
  if (coordinate_count_ > 0 && !kalman_) {
    persistent_.emplace(d, stack_.outputs(), coordinate_count_, moving_, latent.persistent, *model.network().k);
    coordinate_doubles_ = persistent_->memory_doubles(stack_.carried());
  } else if (coordinate_count_ > 0) {
    coordinate_doubles_ = as_size(double_stride(coordinate_count_));
  }
  if (carries()) tangent_rows_.resize(2 * kTangents * as_size(double_stride(stack_.carried())));
  if (kalman_) prepare_covariance(model, options.metric.process_noise);
}

void StreamCorrector::prepare_covariance(const Model& model, double process_noise) {
  const int d = stack_.latents();
  noise_.assign(as_size(d), process_noise);
  for (int i = 0; i < coordinate_count_; ++i) noise_[d - coordinate_count_ + i] = persistent_options_.noises[i];
  dynamics_ = choose_dynamics(model);
  if (dynamics_ == Dynamics::dense) dynamics_rows_.resize(2 * as_size(d) * as_size(double_stride(d)));
}

// one recurrent block whose step does not mix its states, and nothing beside it: F is as simple as that block's
StreamCorrector::Dynamics StreamCorrector::choose_dynamics(const Model& model) const {
  int recurrent = 0;
  bool diagonal = false, pairs = false;
  for (const Layer& layer : model.network().layers) {
    int latents = 0;
    visit_block(layer.block, [&](const auto& block) { latents = block.latents(); });
    if (latents == 0) continue;
    ++recurrent;
    diagonal = std::holds_alternative<Selective>(layer.block) || std::holds_alternative<Mamba>(layer.block);
    pairs = std::holds_alternative<S4d>(layer.block);
  }
  const bool alone = recurrent == 1 && coordinate_count_ == 0;
  return alone && diagonal ? Dynamics::diagonal : alone && pairs ? Dynamics::pairs : Dynamics::dense;
}

std::uint64_t StreamCorrector::make_fingerprint() const {
  std::ostringstream text;
  const MetricOptions& metric = corrector_.options().metric;
  const PersistentLayout& c = persistent_options_.coordinates;
  text << name(corrector_.metric()) << ' ' << metric.rank << ' ' << stack_.latents() << ' ' << stack_.outputs() << ' '
       << inputs_ << ' ' << c.output_gain << c.output_bias << c.readout_rank << c.input_gain << c.input_bias
       << c.time_scale << c.adapted_inputs << ' ' << fading_doubles_;
  if (const GateOptions& gate = corrector_.options().gate; decides_once(gate.kind)) text << ' ' << name(gate.kind);
  const std::string shape = text.str();
  return hash64(std::as_bytes(std::span(shape)));
}

}  // namespace elastane
