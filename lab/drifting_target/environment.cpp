#include "lab/drifting_target/environment.h"

#include <cmath>

#include "elastane/core/objective/gaussian.h"

namespace elastane::drifting_target {

Model make_model(const Episode& episode) {
  ModelConfig config{.inputs = 1, .outputs = episode.outputs, .width = kLatents};
  config.blocks = {BlockConfig{.kind = SelectiveConfig{}, .norm = Norm::none, .residual = false}};
  config.norm = Norm::none;
  config.head = {.hidden = {kHidden}, .activation = Activation::tanh};
  std::vector<Tensor> tensors = random_tensors(config, episode.seed);
  Random random(episode.seed, 1U << 20U);
  for (Tensor& tensor : tensors) {
    for (float& value : tensor.values) {
      if (tensor.name == "blocks.0.selective.delta.weight") value = 0;
      if (tensor.name == "blocks.0.selective.delta.bias") value = -30;  // a = 1 to the last digit
      if (tensor.name == "head.0.weight")
        value = static_cast<float>(episode.sharpness * random.normal() / std::sqrt(kLatents));
      if (tensor.name == "head.0.bias") value = static_cast<float>(0.5 * random.normal());
      if (tensor.name == "head.1.weight") value = static_cast<float>(random.normal() / std::sqrt(kHidden));
    }
  }
  return Model::create(config, tensors).value();
}

Environment::Environment(const Episode& episode, const Model& model)
    : episode_(episode),
      decoder_(model, {}),
      random_(episode.seed, 1U << 21U),
      latent_(kLatents),
      output_(static_cast<std::size_t>(model.outputs())),
      target_(output_.size()) {
  for (double& value : latent_) value = random_.normal();
}

std::span<const float> Environment::step(std::span<const std::byte> state) {
  const int steps = episode_.steps;
  const double jump = t_ == steps / 4 || t_ == steps / 2 || t_ == 3 * steps / 4 ? kJump : 0.0;
  for (double& value : latent_) value += kDrift * random_.normal() + jump * random_.normal();
  decoder_.bind(const_cast<std::byte*>(state.data()), {});
  decoder_.output(latent_, output_);
  for (std::size_t i = 0; i < target_.size(); ++i) target_[i] = static_cast<float>(output_[i]);
  ++t_;
  return target_;
}

Outcome follow(const Episode& episode, const CorrectorOptions& options) {
  const Model model = make_model(episode);
  Stream stream(model, {.corrector = options});
  Environment environment(episode, model);
  const float x[] = {0.0F};
  Outcome outcome;
  for (int t = 0; t < episode.steps; ++t) {
    stream.advance(x);
    const Gaussian objective(Target{.values = environment.step(stream.state()), .noise = kNoise});
    const StepReport report = stream.correct(objective);
    outcome.loss += report.loss_after / episode.steps;
    outcome.accepted += (report.accepted > 0 ? 1.0 : 0.0) / episode.steps;
    outcome.condition += report.condition / episode.steps;
    outcome.macs += static_cast<double>(report.total_macs()) / episode.steps;
  }
  return outcome;
}

}  // namespace elastane::drifting_target
