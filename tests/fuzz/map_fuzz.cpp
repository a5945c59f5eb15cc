// Fuzzes lab/maze/map_file.cpp: no bytes may crash or stall what reads maps and scenarios; what is read can
// be walked through, and what is refused is refused with a reason.
//
// A map and its scenarios in one input, with a line "version" between them.
#include <cstdlib>
#include <string_view>

#include "lab/maze/expert.h"
#include "lab/maze/map_file.h"

namespace elastane::maze {
namespace {

constexpr int kFewCells = 256, kFewScenarios = 4;  // walks take time

void walk_through(const Episode& episode) {
  Environment environment(episode);
  Expert expert;
  expert.begin(episode);
  while (!environment.over()) {
    expert.observe(environment.observe());
    environment.step(expert.act());
  }
}

void check(std::string_view text) {
  const std::size_t split = std::min(text.find("version"), text.size());
  const auto map = parse_map(text.substr(0, split));
  const auto scenarios = parse_scenarios(text.substr(split));
  if (!map && map.error().empty()) std::abort();
  if (!scenarios && scenarios.error().empty()) std::abort();
  if (!map || !scenarios || map->cells() > kFewCells) return;
  int walked = 0;
  for (const MapScenario& scenario : *scenarios) {
    if (++walked > kFewScenarios) break;
    const auto episode = make_episode(*map, scenario, walked % 2 == 0 ? KnownPlan::nothing : KnownPlan::map);
    if (!episode && episode.error().empty()) std::abort();
    if (episode) walk_through(with_change(*episode, {}, static_cast<std::uint64_t>(walked)));
  }
}

}  // namespace
}  // namespace elastane::maze

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  elastane::maze::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
