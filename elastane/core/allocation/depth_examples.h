// What a learned gate is trained on: what steps showed, and what each depth would have made of them.
//
// A world gathers them where its agent goes: what the gate looked at (Corrector::gate_features) beside what every depth
// comes to (core/depth_trial.h), as the objective or the task says. elastane/train/gate_training.h learns from them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "elastane/core/gate/learned_gate.h"

namespace elastane {

struct DepthExamples {
  //                                meaning                                                    shape
  std::vector<double> features;    // what a step showed                                        [N][F]
  std::vector<double> losses;      // what each depth made of it, 0 first                       [N][K_max + 1]
  std::vector<double> costs = {};  // of a step at each depth, in the unit that the price is of [K_max + 1]

  int depths() const { return static_cast<int>(costs.size()); }
  std::size_t size() const { return costs.empty() ? 0 : losses.size() / costs.size(); }
  int feature_count() const { return size() == 0 ? 0 : static_cast<int>(features.size() / size()); }

  std::span<const double> features_of(std::size_t lesson) const {
    const auto count = static_cast<std::size_t>(feature_count());
    return {features.data() + lesson * count, count};
  }
  std::span<const double> losses_of(std::size_t lesson) const {
    return {losses.data() + lesson * costs.size(), costs.size()};
  }

  void add(std::span<const double> shown, std::span<const double> came_to) {
    features.insert(features.end(), shown.begin(), shown.end());
    losses.insert(losses.end(), came_to.begin(), came_to.end());
  }
};

// sizes that fit each other, numbers that are finite, at least one lesson
Status validate(const DepthExamples& lessons);

// what a way to choose depths comes to on lessons, a step on average
struct DepthFigures {
  double loss = 0, cost = 0, depth = 0;
  std::vector<double> histogram = {};  // the share of each depth

  double objective(double price) const { return loss + price * cost; }
};
DepthFigures judge(const LearnedGate& gate, const DepthExamples& lessons, double threshold);
inline DepthFigures judge(const LearnedGate& gate, const DepthExamples& lessons) {
  return judge(gate, lessons, gate.threshold());
}
// depths drawn from a histogram without a look at the step: what a gate must beat
DepthFigures judge_drawn(std::span<const double> histogram, const DepthExamples& lessons);
// the depth of the least ℓ + price·c, known only afterwards: what no gate beats
DepthFigures judge_oracle(const DepthExamples& lessons, double price);

}  // namespace elastane
