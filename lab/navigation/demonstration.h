// What a policy learns from: drives over sites in which nothing changes, with what the expert would have done at every
// step, whoever drove.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "elastane/core/network/model.h"
#include "lab/navigation/drive.h"

namespace elastane::navigation {

// a site and the way home, kept together; of the sites that come with the project by number
struct Place {
  Site site;
  Route route;
  explicit Place(Site s) : site(std::move(s)), route(site) {}
};
std::vector<Place> random_places(std::uint64_t seed, int count);

struct DemonstrationOptions {
  int steps = 128;                // of every drive
  double stray = 0.15;            // share of the time in which whoever drives is pushed about
  double windy = 0.3;             // share of drives with wind and a weak drive, which the network is told
  double blind = 0.3;             // share of drives whose rays fail at times
  const Model* driver = nullptr;  // who drives: a policy, or the expert
  double expert_share = 0;        // of drives that the expert makes all the same
};

struct Demonstration {
  std::vector<float> x;       // [steps][kInputs]; NaN where a ray gave no answer
  std::vector<float> target;  // [steps][kOutputs]; NaN where nothing is known
};
Demonstration demonstrate(const Place& place, const DemonstrationOptions& options, std::uint64_t seed);

}  // namespace elastane::navigation
