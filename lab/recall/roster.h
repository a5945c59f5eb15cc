// The agents of `elastane play attention`: one model, several ways to spend on attention.
#pragma once

#include <string>
#include <vector>

#include "elastane/core/allocation/scoring_network.h"
#include "lab/recall/glass_model.h"

namespace elastane::recall {

inline constexpr int kShownLength = 128;  // steps of a prompt that is shown, as long as those of training: 8 blocks

struct RosterEntry {
  std::string name, what;
  Look look;
};

// with a router that is present, also the agent that follows it, block by block
std::vector<RosterEntry> roster(const RouterWeights& router = {});

// the router beside a model: MODEL_router.safetensors; not present if there is no such file
Result<RouterWeights> router_beside(const std::string& models, const std::string& model);

// the prompt of (seed, episode): tasks and positions take turns
Episode episode_of(std::uint64_t seed, int episode);
std::vector<float> inputs_of(const Episode& episode);

// what one agent answered on one prompt, and what it read
struct Attempt {
  int right = 0;     // of kQueries
  double share = 0;  // blocks read, over those of full heads
  Seen seen;
};
Attempt attempt(const GlassModel& model, const RosterEntry& entry, const Episode& episode);

}  // namespace elastane::recall
