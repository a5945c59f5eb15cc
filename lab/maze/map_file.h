// Maps and scenarios of the MovingAI benchmarks (Sturtevant 2012): text files of letters, and of starts and goals with the
// length of the shortest path.
//
//   Grid map = parse_map(text).value();
//   for (const MapScenario& scenario : parse_scenarios(text).value()) Episode e = make_episode(map, scenario).value();
//
// Free: '.', 'G' and 'S'. Walls: '@', 'O', 'T' and 'W'. Agents have all eight moves and may not cut corners.
#pragma once

#include <string_view>
#include <vector>

#include "elastane/core/base/result.h"
#include "lab/maze/scenario.h"

namespace elastane::maze {

inline constexpr int kMaxSide = 4096;

Result<Grid> parse_map(std::string_view text);
Result<std::vector<MapScenario>> parse_scenarios(std::string_view text);

// the whole text of a file; throws if it cannot be read
std::string text_of(const std::string& path);

}  // namespace elastane::maze
