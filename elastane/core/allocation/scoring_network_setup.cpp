#include <cmath>
#include <string>
#include <utility>

#include "elastane/core/allocation/scoring_network.h"

namespace elastane {
namespace {

Error wrong(const ScoringLimits& limits, const std::string& what, std::size_t found) {
  return Error{"[" + std::string(limits.tag) + "] " + what + ", found " + std::to_string(found) + "; train it again"};
}

Status all_finite(const ScoringLimits& limits, const char* field, const std::vector<double>& values) {
  for (const double value : values) {
    if (!std::isfinite(value)) {
      return Error{"[" + std::string(limits.tag) + "] " + field +
                   ": expected finite numbers, found one that is not; train it again"};
    }
  }
  return {};
}

Status check_middle(const ScoringNetwork& network, const ScoringLimits& limits) {
  const std::size_t m = network.middle_bias.size();
  if (m > static_cast<std::size_t>(limits.most_middle)) {
    return wrong(limits, "middle.bias: expected 0 to " + std::to_string(limits.most_middle) + " units", m);
  }
  const std::size_t expected = m * network.hidden_bias.size();
  if (network.middle_weight.size() == expected) return {};
  return wrong(limits, "middle.weight: expected " + std::to_string(expected) + " numbers",
               network.middle_weight.size());
}

}  // namespace

Status validate(const ScoringNetwork& network, const ScoringLimits& limits) {
  const std::size_t h = network.hidden_bias.size(), n = network.score_bias.size();
  if (h < 1 || h > static_cast<std::size_t>(limits.most_hidden)) {
    return wrong(limits, "hidden.bias: expected 1 to " + std::to_string(limits.most_hidden) + " units", h);
  }
  if (n < 1 || n > static_cast<std::size_t>(limits.most_scores)) {
    return wrong(limits, "score.bias: expected 1 to " + std::to_string(limits.most_scores) + " " + limits.score, n);
  }
  const int features = network.features();
  if (network.hidden_weight.size() % h != 0 || features < limits.least_features || features > limits.most_features) {
    return wrong(limits,
                 "hidden.weight: expected " + std::to_string(h) + " rows of " + std::to_string(limits.least_features) +
                     " to " + std::to_string(limits.most_features) + " features",
                 network.hidden_weight.size());
  }
  if (Status middle = check_middle(network, limits); !middle) return middle;
  const std::size_t top = n * (network.middle() > 0 ? network.middle_bias.size() : h);
  if (network.score_weight.size() != top) {
    return wrong(limits, "score.weight: expected " + std::to_string(top) + " numbers", network.score_weight.size());
  }
  for (const auto& [field, values] : {std::pair("hidden.weight", &network.hidden_weight),
                                      {"hidden.bias", &network.hidden_bias},
                                      {"middle.weight", &network.middle_weight},
                                      {"middle.bias", &network.middle_bias},
                                      {"score.weight", &network.score_weight},
                                      {"score.bias", &network.score_bias}}) {
    if (Status finite = all_finite(limits, field, *values); !finite) return finite;
  }
  return {};
}

}  // namespace elastane
