// A drive over a site that somebody drew: from a start that is free to a dock that can be reached.
#pragma once

#include "lab/navigation/demonstration.h"
#include "lab/navigation/site_file.h"

namespace elastane::navigation {

struct Errand {
  Place place;
  Scenario scenario;
};

// Checks what only a route can tell. A start that the file does not give is drawn by the seed, and so is all noise.
Result<Errand> make_errand(const DrawnSite& drawn, std::uint64_t seed);

}  // namespace elastane::navigation
