#include <cmath>
#include <string>
#include <utility>

#include "elastane/core/allocation/scoring_network.h"

namespace elastane {
namespace {

Error wrong(const std::string& what, std::size_t found) {
  return Error{"[gate] " + what + ", found " + std::to_string(found) + "; train it again"};
}

Status all_finite(const char* field, const std::vector<double>& values) {
  for (const double value : values) {
    if (!std::isfinite(value)) {
      return Error{std::string("[gate] ") + field + ": expected finite numbers, found one that is not; train it again"};
    }
  }
  return {};
}

}  // namespace

Status validate(const ScoringNetwork& network, const ScoringLimits& limits) {
  const std::size_t h = network.hidden_bias.size(), n = network.score_bias.size();
  if (h < 1 || h > kMostScoreHidden) {
    return wrong("hidden.bias: expected 1 to " + std::to_string(kMostScoreHidden) + " units", h);
  }
  if (n < 1 || n > static_cast<std::size_t>(limits.most_scores)) {
    return wrong("score.bias: expected 1 to " + std::to_string(limits.most_scores) + " " + limits.score, n);
  }
  const int features = network.features();
  if (network.hidden_weight.size() % h != 0 || features < limits.least_features || features > limits.most_features) {
    return wrong("hidden.weight: expected " + std::to_string(h) + " rows of " + std::to_string(limits.least_features) +
                     " to " + std::to_string(limits.most_features) + " features",
                 network.hidden_weight.size());
  }
  if (network.score_weight.size() != n * h) {
    return wrong("score.weight: expected " + std::to_string(n * h) + " numbers", network.score_weight.size());
  }
  for (const auto& [field, values] : {std::pair("hidden.weight", &network.hidden_weight),
                                      {"hidden.bias", &network.hidden_bias},
                                      {"score.weight", &network.score_weight},
                                      {"score.bias", &network.score_bias}}) {
    if (Status finite = all_finite(field, *values); !finite) return finite;
  }
  return {};
}

}  // namespace elastane
