// elastane reproduce endless_drive: does a corrected step take as long after a million steps as after ten? The robot
// drives from site to site, and its agent is never reset.
#pragma once

#include "lab/world.h"

namespace elastane::navigation {

lab::Reproduction endless_reproduction();

}  // namespace elastane::navigation
