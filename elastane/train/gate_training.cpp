#include "elastane/train/gate_training.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "elastane/train/adamw.h"
#include "elastane/train/scoring.h"

namespace elastane::train {
namespace {

using at::Tensor;

Tensor as_tensor(const std::vector<double>& values, std::int64_t columns) {
  return at::tensor(values, at::kDouble).view({-1, columns});
}

// in units of the mean difference between depths
DepthCosts depth_costs(const DepthExamples& examples, double price) {
  const Tensor losses = as_tensor(examples.losses, examples.depths());
  const Tensor priced = price * at::tensor(examples.costs, at::kDouble);
  const Tensor j = losses + priced;
  const double range = (j.amax(1) - j.amin(1)).mean().item<double>(), unit = range > 0 ? range : 1.0;
  return {losses / unit, priced / unit};
}

// of urgency, evenly spaced in probability
std::vector<double> quantiles_of(const LearnedGate& gate, const DepthExamples& examples) {
  constexpr std::size_t kSpaces = 100;
  std::vector<double> urgencies(examples.size()), a(static_cast<std::size_t>(gate.hidden())), o(examples.costs.size());
  for (std::size_t i = 0; i < urgencies.size(); ++i) {
    gate.score(examples.features_of(i).data(), a.data(), o.data());
    urgencies[i] = gate.urgency(o.data());
  }
  std::sort(urgencies.begin(), urgencies.end());
  std::vector<double> quantiles(kSpaces + 1);
  for (std::size_t q = 0; q <= kSpaces; ++q) quantiles[q] = urgencies[q * (urgencies.size() - 1) / kSpaces];
  return quantiles;
}

void check(const DepthExamples& examples, const GateTraining& t) {
  validate(examples, kOwnGateFeatures).value();
  TORCH_CHECK(t.price >= 0 && std::isfinite(t.price), "[gate] price: expected at least 0, found ", t.price);
  TORCH_CHECK(t.hidden >= 1 && t.hidden <= kMostScoreHidden, "[gate] hidden: expected 1 to ", kMostScoreHidden,
              " units, found ", t.hidden);
  TORCH_CHECK(t.steps >= 1 && t.batch >= 1 && t.rate > 0, "[gate] expected steps, batch and rate above 0");
  TORCH_CHECK(t.loss.halting > 0 && t.loss.halting < 1 && t.loss.temperature > 0 && t.loss.divergence >= 0 &&
                  t.loss.entropy >= 0,
              "[gate] expected halting between 0 and 1, a temperature above 0, entropy and divergence of at least 0");
}

}  // namespace

LearnedGate train_gate(const DepthExamples& examples, const GateTraining& training) {
  check(examples, training);
  const Tensor features = as_tensor(examples.features, examples.feature_count());
  const DepthCosts costs = depth_costs(examples, training.price);
  Random random(training.seed);
  const TrainedScoring network(features, training.hidden, examples.depths(), random);
  AdamW optimiser(network.leaves(), {.decay = training.decay});
  const auto count = static_cast<int>(examples.size());
  std::vector<std::int64_t> picked(static_cast<std::size_t>(std::min(training.batch, count)));
  for (int step = 0; step < training.steps; ++step) {
    for (std::int64_t& example : picked) example = random.below(count);
    const Tensor rows = at::tensor(picked);
    const double done = static_cast<double>(step) / training.steps;
    GateLossOptions now = training.loss;
    now.entropy *= std::max(0.0, 1 - 2 * done);
    const Tensor o = network.scores(features.index_select(0, rows));
    gate_loss(o, {costs.losses.index_select(0, rows), costs.priced}, now, random).backward();
    optimiser.step(training.rate * 0.5 * (1 + std::cos(std::numbers::pi * done)));
  }
  LearnedGate gate{.network = network.network()};
  gate.sees = training.sees;
  gate.readout = readout_of(training.loss.method);
  gate.quantiles = quantiles_of(gate, examples);
  validate(gate).value();
  return gate;
}

}  // namespace elastane::train
