#include "elastane/core/allocation/depth_examples.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace elastane {
namespace {

// averages over lessons, each at the depth that choose(lesson) gives it
template <class Choose>
DepthFigures average(const DepthExamples& lessons, Choose choose) {
  DepthFigures figures;
  figures.histogram.resize(lessons.costs.size());
  const double share = 1.0 / static_cast<double>(lessons.size());
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    const auto depth = static_cast<std::size_t>(choose(i));
    figures.loss += share * lessons.losses_of(i)[depth];
    figures.cost += share * lessons.costs[depth];
    figures.depth += share * static_cast<double>(depth);
    figures.histogram[depth] += share;
  }
  return figures;
}

}  // namespace

Status validate(const DepthExamples& lessons) {
  const std::size_t n = lessons.size(), depths = lessons.costs.size();
  if (depths < 2 || depths > kMostGatedDepth + 1) {
    return Error{"[lessons] costs: expected 2 to " + std::to_string(kMostGatedDepth + 1) + ", found " +
                 std::to_string(depths)};
  }
  if (n == 0) return Error{"[lessons] expected at least one lesson, found none"};
  if (n * depths != lessons.losses.size() ||
      n * static_cast<std::size_t>(lessons.feature_count()) != lessons.features.size()) {
    return Error{"[lessons] expected features and " + std::to_string(depths) + " losses for every lesson, found " +
                 std::to_string(lessons.features.size()) + " and " + std::to_string(lessons.losses.size()) +
                 " numbers in all"};
  }
  if (lessons.feature_count() < kOwnGateFeatures || lessons.feature_count() > kMostGateFeatures) {
    return Error{"[lessons] features: expected " + std::to_string(kOwnGateFeatures) + " to " +
                 std::to_string(kMostGateFeatures) + ", found " + std::to_string(lessons.feature_count())};
  }
  for (const std::vector<double>* numbers : {&lessons.features, &lessons.losses, &lessons.costs}) {
    for (const double value : *numbers) {
      if (!std::isfinite(value)) return Error{"[lessons] expected finite numbers, found one that is not"};
    }
  }
  return {};
}

DepthFigures judge(const LearnedGate& gate, const DepthExamples& lessons, double threshold) {
  std::vector<double> a(static_cast<std::size_t>(gate.hidden())), o(static_cast<std::size_t>(gate.depths()));
  return average(lessons, [&](std::size_t i) {
    gate.score(lessons.features_of(i).data(), a.data(), o.data());
    return gate.depth(o.data(), threshold);
  });
}

DepthFigures judge_drawn(std::span<const double> histogram, const DepthExamples& lessons) {
  DepthFigures figures{.histogram = {histogram.begin(), histogram.end()}};
  for (std::size_t k = 0; k < histogram.size(); ++k) {
    const DepthFigures always = average(lessons, [&](std::size_t) { return k; });
    figures.loss += histogram[k] * always.loss;
    figures.cost += histogram[k] * always.cost;
    figures.depth += histogram[k] * always.depth;
  }
  return figures;
}

DepthFigures judge_oracle(const DepthExamples& lessons, double price) {
  return average(lessons, [&](std::size_t i) {
    const std::span<const double> losses = lessons.losses_of(i);
    std::size_t best = 0;
    for (std::size_t k = 1; k < losses.size(); ++k) {
      if (losses[k] + price * lessons.costs[k] < losses[best] + price * lessons.costs[best]) best = k;
    }
    return best;
  });
}

}  // namespace elastane
