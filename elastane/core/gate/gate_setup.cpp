// What a gate does before its first step: names, validation, sizes.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "elastane/core/gate/gate_figures.h"
#include "elastane/core/gate/gatekeeper.h"

namespace elastane {
namespace {

Error expected(const std::string& field, const std::string& range, double found) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%g", found);
  return Error{"[corrector] gate." + field + ": expected " + range + ", found " + digits};
}

}  // namespace

std::string_view name(Gate gate) {
  constexpr std::string_view kNames[kGates] = {"never", "always", "gain", "learned", "kappa", "random"};
  return kNames[static_cast<int>(gate)];
}

std::string_view name(GateInput input) { return input == GateInput::loss ? "loss" : "solve"; }

std::string_view name(GateReadout readout) {
  constexpr std::string_view kNames[kGateReadouts] = {"argmax", "ponder", "act"};
  return kNames[static_cast<int>(readout)];
}

Status validate(const GateOptions& gate) {
  const int most = decides_once(gate.kind) ? kMostDepth : 1000;
  if (gate.depth < 0 || gate.depth > most) return expected("depth", "0 to " + std::to_string(most), gate.depth);
  if (!(gate.price >= 0)) return expected("price", "at least 0", gate.price);
  if (!(gate.share <= 1)) return expected("share", "0 to 1, or below 0 for as trained", gate.share);
  if (gate.follow && gate.share < 0) return expected("share", "0 to 1, since it is to be followed", gate.share);
  if (!std::isfinite(gate.threshold)) return expected("threshold", "a finite number", gate.threshold);
  if (gate.histogram.empty()) return {};
  const auto depths = static_cast<std::size_t>(gate.depth) + 1;
  if (gate.histogram.size() != depths) {
    return expected("histogram", std::to_string(depths) + " weights, one for each depth from 0",
                    static_cast<double>(gate.histogram.size()));
  }
  double sum = 0;
  for (const double weight : gate.histogram) {
    if (!(weight >= 0 && weight < 1e12)) return expected("histogram", "weights of at least 0", weight);
    sum += weight;
  }
  if (!(sum > 0)) return expected("histogram", "a weight above 0", sum);
  return {};
}

Status validate(const LearnedGate& gate) {
  const ScoringLimits limits{.least_features = kOwnGateFeatures, .most_scores = kMostDepth + 1, .score = "depths"};
  if (Status sound = validate(gate.network, limits); !sound) return sound;
  if (gate.quantiles.size() == 1) {
    return Error{"[gate] quantiles: expected none, or at least 2, found 1; train it again"};
  }
  if (!std::is_sorted(gate.quantiles.begin(), gate.quantiles.end())) {
    return Error{"[gate] quantiles: expected them ascending, found others; train it again"};
  }
  for (const double value : gate.quantiles) {
    if (!std::isfinite(value)) {
      return Error{"[gate] quantiles: expected finite numbers, found one that is not; train it again"};
    }
  }
  return {};
}

DepthFigures judge(const LearnedGate& gate, const DepthExamples& examples, double threshold) {
  std::vector<double> a(static_cast<std::size_t>(gate.hidden())), o(static_cast<std::size_t>(gate.depths()));
  return judge_choice(examples, [&](std::size_t i) {
    gate.score(examples.features_of(i).data(), a.data(), o.data());
    return gate.depth(o.data(), threshold);
  });
}

Gatekeeper::Gatekeeper(const GateOptions& options, int latents, const LearnedGate& learned)
    : options_(options), learned_(learned), latents_(latents) {
  if (!is_asked()) return;
  if (options_.kind == Gate::learned) {
    options_.depth = std::max(learned_.depths() - 1, 0);
    options_.sees = learned_.sees;
  }
  if (options_.kind == Gate::kappa) options_.sees = GateInput::solve;
  const double start = options_.share < 0 ? learned_.threshold() : learned_.threshold(options_.share);
  const double spread = learned_.threshold(0.1) - learned_.threshold(0.9);
  threshold_ = QuantileThreshold::at(start, options_.share, spread);
  work_.resize(kMostScoreFeatures + kMostScoreHidden + kMostDepth + 1);
}

}  // namespace elastane
