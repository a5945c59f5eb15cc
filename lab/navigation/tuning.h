// elastane reproduce tune_navigation: every setting that was tried for every agent, on sites and episodes that the
// benchmark does not use. The best settings are recorded in experiments/navigation/settings/roster.json.
#pragma once

#include "lab/world.h"

namespace elastane::navigation {

lab::Reproduction tuning_reproduction();

}  // namespace elastane::navigation
