// Maps and scenarios of the MovingAI benchmarks (Sturtevant 2012): text files of letters, and of starts and goals with
// the length of the shortest way.
//
//   Grid map = parse_map(text).value();
//   for (const MapErrand& errand : parse_errands(text).value()) Task task = make_task(map, errand).value();
//
// Free: '.', 'G' and 'S'. Walls: '@', 'O', 'T' and 'W'. Walkers take all eight moves and cut no corner.
#pragma once

#include <string_view>
#include <vector>

#include "elastane/core/base/result.h"
#include "lab/maze/map_errand.h"

namespace elastane::maze {

inline constexpr int kMostSide = 4096;

Result<Grid> parse_map(std::string_view text);
Result<std::vector<MapErrand>> parse_errands(std::string_view text);

}  // namespace elastane::maze
