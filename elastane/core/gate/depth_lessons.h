// What a learned gate is trained on: what steps showed, and what each depth would have made of them.
//
// A world gathers them where its agent goes: what the gate looked at (Corrector::gate_features) beside what every depth
// comes to (core/depth_trial.h), as the objective or the task says. elastane/train/gate_training.h learns from them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace elastane {

struct DepthLessons {
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

}  // namespace elastane
