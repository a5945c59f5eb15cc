#include "elastane/core/allocation/depth_examples.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace elastane {
Status validate(const DepthExamples& examples, int least_features, int most_features) {
  const std::size_t n = examples.size(), depths = examples.costs.size();
  if (depths < 2 || depths > kMostDepth + 1) {
    return Error{"[examples] costs: expected 2 to " + std::to_string(kMostDepth + 1) + ", found " +
                 std::to_string(depths)};
  }
  if (n == 0) return Error{"[examples] expected at least one example, found none"};
  if (n * depths != examples.losses.size() ||
      n * static_cast<std::size_t>(examples.feature_count()) != examples.features.size()) {
    return Error{"[examples] expected features and " + std::to_string(depths) + " losses for every example, found " +
                 std::to_string(examples.features.size()) + " and " + std::to_string(examples.losses.size()) +
                 " numbers in all"};
  }
  if (examples.feature_count() < least_features || examples.feature_count() > most_features) {
    return Error{"[examples] features: expected " + std::to_string(least_features) + " to " +
                 std::to_string(most_features) + ", found " + std::to_string(examples.feature_count())};
  }
  for (const std::vector<double>* numbers : {&examples.features, &examples.losses, &examples.costs}) {
    for (const double value : *numbers) {
      if (!std::isfinite(value)) return Error{"[examples] expected finite numbers, found one that is not"};
    }
  }
  return {};
}

DepthFigures judge_drawn(std::span<const double> histogram, const DepthExamples& examples) {
  DepthFigures figures{.histogram = {histogram.begin(), histogram.end()}};
  for (std::size_t k = 0; k < histogram.size(); ++k) {
    const DepthFigures always = judge_choice(examples, [&](std::size_t) { return k; });
    figures.loss += histogram[k] * always.loss;
    figures.cost += histogram[k] * always.cost;
    figures.depth += histogram[k] * always.depth;
  }
  return figures;
}

DepthFigures judge_oracle(const DepthExamples& examples, double price) {
  return judge_choice(examples, [&](std::size_t i) {
    const std::span<const double> losses = examples.losses_of(i);
    std::size_t best = 0;
    for (std::size_t k = 1; k < losses.size(); ++k) {
      if (losses[k] + price * examples.costs[k] < losses[best] + price * examples.costs[best]) best = k;
    }
    return best;
  });
}

}  // namespace elastane
