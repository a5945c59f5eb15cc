// What a gate does before its first step: names, checks, sizes.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "elastane/core/gate/gatekeeper.h"

namespace elastane {
namespace {

// every number that a histogram or a network holds
Status all_finite(const char* field, const std::vector<double>& values) {
  for (const double value : values) {
    if (!std::isfinite(value)) {
      return Error{std::string("[gate] ") + field + ": expected finite numbers, found one that is not; train it again"};
    }
  }
  return {};
}

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

std::string_view name(GateSight sight) { return sight == GateSight::loss ? "loss" : "solve"; }

std::string_view name(GateReadout readout) {
  constexpr std::string_view kNames[kGateReadouts] = {"argmax", "ponder", "act"};
  return kNames[static_cast<int>(readout)];
}

Status validate(const GateOptions& gate) {
  const int most = decides_once(gate.kind) ? kMostGatedDepth : 1000;
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
  const auto wrong = [](const std::string& what, std::size_t found) {
    return Error{"[gate] " + what + ", found " + std::to_string(found) + "; train it again"};
  };
  const std::size_t h = gate.hidden_bias.size(), depths = gate.score_bias.size();
  if (h < 1 || h > kMostGateHidden)
    return wrong("hidden.bias: expected 1 to " + std::to_string(kMostGateHidden) + " units", h);
  if (depths < 1 || depths > kMostGatedDepth + 1)
    return wrong("score.bias: expected 1 to " + std::to_string(kMostGatedDepth + 1) + " depths", depths);
  if (gate.hidden_weight.size() % h != 0 || gate.features() < kOwnGateFeatures || gate.features() > kMostGateFeatures) {
    return wrong("hidden.weight: expected " + std::to_string(h) + " rows of " + std::to_string(kOwnGateFeatures) +
                     " to " + std::to_string(kMostGateFeatures) + " features",
                 gate.hidden_weight.size());
  }
  if (gate.score_weight.size() != depths * h)
    return wrong("score.weight: expected " + std::to_string(depths * h) + " numbers", gate.score_weight.size());
  if (gate.quantiles.size() == 1) return wrong("quantiles: expected none, or at least 2", 1);
  if (!std::is_sorted(gate.quantiles.begin(), gate.quantiles.end()))
    return Error{"[gate] quantiles: expected them ascending, found others; train it again"};
  for (const auto& [field, values] : {std::pair("hidden.weight", &gate.hidden_weight),
                                      {"hidden.bias", &gate.hidden_bias},
                                      {"score.weight", &gate.score_weight},
                                      {"score.bias", &gate.score_bias},
                                      {"quantiles", &gate.quantiles}}) {
    if (Status finite = all_finite(field, *values); !finite) return finite;
  }
  return {};
}

Gatekeeper::Gatekeeper(const GateOptions& options, int latents, const LearnedGate& learned)
    : options_(options), learned_(learned), latents_(latents) {
  if (!is_asked()) return;
  if (options_.kind == Gate::learned) {
    options_.depth = std::max(learned_.depths() - 1, 0);
    options_.sees = learned_.sees;
  }
  if (options_.kind == Gate::kappa) options_.sees = GateSight::solve;
  constexpr double kMost = 1e12;  // also infinite thresholds are kept in a memory that must be finite
  threshold_ = options_.share < 0 ? learned_.threshold() : learned_.threshold(options_.share);
  threshold_ = std::clamp(threshold_, -kMost, kMost);
  // a fiftieth of what most lessons differ by: fast enough for drift, slow enough not to chase single steps
  stride_ = 0.02 * std::clamp(learned_.threshold(0.1) - learned_.threshold(0.9), 0.1, kMost);
  work_.resize(kMostGateFeatures + kMostGateHidden + kMostGatedDepth + 1);
}

}  // namespace elastane
