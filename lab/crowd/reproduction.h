// elastane reproduce crowdnav: CrowdNav's 500 circle crossings (experiments/crowdnav).
#pragma once

#include "lab/world.h"

namespace elastane::crowd {

lab::Reproduction crowdnav_reproduction();

}  // namespace elastane::crowd
