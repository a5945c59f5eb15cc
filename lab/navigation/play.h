// elastane play navigation --site FILE: the agents on a site that the user has drawn (docs/howto/site.md).
#pragma once

#include <memory>

#include "lab/world.h"

namespace elastane::navigation {

std::shared_ptr<lab::CustomEpisode> custom_site();

}  // namespace elastane::navigation
