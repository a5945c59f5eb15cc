// Training examples for policies: episodes in which no obstacle changes, with what the expert would have done at every
// step, whether the expert or a policy drives.
#pragma once

#include <cstdint>
#include <vector>

#include "elastane/core/network/model.h"
#include "lab/navigation/route.h"

namespace elastane::navigation {

struct DemonstrationOptions {
  int steps = 128;                // of every episode
  double stray = 0.15;            // share of the time in which the robot is pushed in a random direction
  double windy = 0.3;             // share of episodes with a disturbance, which the network receives as input
  double blind = 0.3;             // share of episodes in which the rays fail at times
  const Model* driver = nullptr;  // the policy that drives; null: the expert
  double expert_share = 0;        // share of episodes that the expert drives even so
};

struct Demonstration {
  std::vector<float> x;       // [steps][kInputs]; NaN where a ray failed
  std::vector<float> target;  // [steps][kOutputs]; NaN where there is no target
};
Demonstration demonstrate(const RoutedSite& site, const DemonstrationOptions& options, std::uint64_t seed);

}  // namespace elastane::navigation
