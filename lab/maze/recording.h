// A walk as a page can show it: a maze with its doors or a map with walls that change, what each agent did and thought,
// and where it spends its micro-steps if it walks through the same maze from everywhere.
#pragma once

#include "lab/benchmark/recording.h"
#include "lab/maze/benchmark.h"

namespace elastane::maze {

inline constexpr int kMostShown = 8;  // agents side by side

// who is shown where nobody is asked for: the map left alone, the map refined, and beside them the best network that is
// there, or the re-planner where networks cannot walk
std::vector<std::string> shown_agents(const MazeBenchmark& benchmark);

Result<benchmark::MazeRecording> record(const MazeBenchmark& benchmark, const benchmark::RecordingRequest& request);

}  // namespace elastane::maze
