// What happens in an episode, in words for a reader who does not know the benchmark.
#pragma once

#include <string>
#include <vector>

#include "lab/benchmark/recording.h"
#include "lab/navigation/episode.h"

namespace elastane::navigation {

std::string title_of(const Episode& episode);
std::string caption_of(const Episode& episode);

// the marks on a timeline of `steps` steps, except for the crate
std::vector<benchmark::Event> events_of(const Episode& episode, int steps);

}  // namespace elastane::navigation
