// What happens in a drive, in words for somebody who has never heard of it.
#pragma once

#include <string>
#include <vector>

#include "lab/benchmark/recording.h"
#include "lab/navigation/drive.h"

namespace elastane::navigation {

bool drops_crate(const Scenario& scenario);  // at all, and before the drive ends

std::string title_of(const Scenario& scenario);
std::string story_of(const Scenario& scenario);

// what to mark on a line of `steps` steps, beside the crate
std::vector<benchmark::Event> events_of(const Scenario& scenario, int steps);

}  // namespace elastane::navigation
