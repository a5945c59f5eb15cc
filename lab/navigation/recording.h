// A drive as a page can show it: what happened on the site, and what each agent saw, planned and did.
#pragma once

#include <string>
#include <vector>

#include "lab/benchmark/recording.h"
#include "lab/navigation/benchmark.h"
#include "lab/navigation/errand.h"

namespace elastane::navigation {

inline constexpr int kMostShown = 8;  // agents side by side

// who is shown where nobody is asked for
std::vector<std::string> shown_agents(Mode mode);

// an episode of the benchmark
Result<benchmark::NavigationRecording> record(const NavigationBenchmark& benchmark,
                                              const benchmark::RecordingRequest& request);

// an errand over a site that the policies do not know; of the request only who drives, and the seed of the noise
Result<benchmark::NavigationRecording> record(const NavigationBenchmark& benchmark, const Errand& errand,
                                              const benchmark::RecordingRequest& request);

}  // namespace elastane::navigation
