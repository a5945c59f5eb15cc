// What a rule that chooses depths is trained on: features of steps, and the loss that each depth would have led to.
//
// A world collects them along its agent's episodes: what the gate saw (Corrector::gate_features) beside the loss of
// every depth (core/corrector/depth_trial.h), measured by the objective or by the task. Training is in
// elastane/train/gate_training.h.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "elastane/core/allocation/scoring_network.h"
#include "elastane/core/base/result.h"

namespace elastane {

inline constexpr int kMostDepth = 64;  // K_max of a rule that decides once per step

struct DepthExamples {
  //                                meaning                                            shape
  std::vector<double> features;    // of a step                                         [N][F]
  std::vector<double> losses;      // after each depth, 0 first                         [N][K_max + 1]
  std::vector<double> costs = {};  // of a step at each depth, in the price's unit      [K_max + 1]

  int depths() const { return static_cast<int>(costs.size()); }
  std::size_t size() const { return costs.empty() ? 0 : losses.size() / costs.size(); }
  int feature_count() const { return size() == 0 ? 0 : static_cast<int>(features.size() / size()); }

  std::span<const double> features_of(std::size_t example) const {
    const auto count = static_cast<std::size_t>(feature_count());
    return {features.data() + example * count, count};
  }
  std::span<const double> losses_of(std::size_t example) const {
    return {losses.data() + example * costs.size(), costs.size()};
  }

  void add(std::span<const double> shown, std::span<const double> loss_by_depth) {
    features.insert(features.end(), shown.begin(), shown.end());
    losses.insert(losses.end(), loss_by_depth.begin(), loss_by_depth.end());
  }
};

// sizes that fit each other, numbers that are finite, at least one example
Status validate(const DepthExamples& examples, int least_features = 1, int most_features = kMostScoreFeatures);

// how a rule that chooses depths does on examples, on average per step
struct DepthFigures {
  double loss = 0, cost = 0, depth = 0;
  std::vector<double> histogram = {};  // the share of each depth

  double objective(double price) const { return loss + price * cost; }
};

// averages over examples, each at the depth that choose(example) gives it
template <class Choose>
DepthFigures judge_choice(const DepthExamples& examples, Choose choose) {
  DepthFigures figures;
  figures.histogram.resize(examples.costs.size());
  const double share = 1.0 / static_cast<double>(examples.size());
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const auto depth = static_cast<std::size_t>(choose(i));
    figures.loss += share * examples.losses_of(i)[depth];
    figures.cost += share * examples.costs[depth];
    figures.depth += share * static_cast<double>(depth);
    figures.histogram[depth] += share;
  }
  return figures;
}

// depths drawn from a histogram, blind to the step: what a rule must beat
DepthFigures judge_drawn(std::span<const double> histogram, const DepthExamples& examples);
// the depth of the least ℓ + price·c, known only afterwards: what no rule beats
DepthFigures judge_oracle(const DepthExamples& examples, double price);

}  // namespace elastane
