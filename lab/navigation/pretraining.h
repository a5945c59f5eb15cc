// Pre-training: an agent that keeps one metric learns it here, before it takes part in a benchmark.
#pragma once

#include "lab/navigation/policy_agents.h"

namespace elastane::navigation {

// four episodes with a crate, on a site that no benchmark uses; then the agent keeps its metric
void pretrain(StaticAgent& agent);

}  // namespace elastane::navigation
