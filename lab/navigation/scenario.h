// A custom scenario: an episode on a site that the user has drawn, with a free start and a dock that can be reached.
#pragma once

#include "lab/navigation/episode.h"
#include "lab/navigation/site_file.h"

namespace elastane::navigation {

struct Scenario {
  RoutedSite site;
  Episode episode;
};

// Checks what needs a route. A start that the file leaves out is drawn by the seed; so is all noise.
Result<Scenario> make_scenario(const SiteFile& file, std::uint64_t seed);

}  // namespace elastane::navigation
