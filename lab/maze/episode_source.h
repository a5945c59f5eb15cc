// Where the episodes of a benchmark come from: mazes of one shape, each drawn from its seed and number only.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lab/maze/map_agent.h"
#include "lab/maze/scenario.h"

namespace elastane::maze {

struct EpisodeSource {
  std::string name;
  MapShape shape;
  std::function<Episode(std::uint64_t seed, int number)> draw;
};

EpisodeSource lattice_episodes(int size);

// scenarios on a map from a file, in turn
struct MapEpisodeOptions {
  KnownPlan known = KnownPlan::map;
  bool unchanging = false;  // no wall changes
};
EpisodeSource map_episodes(const std::string& name, const Grid& map, std::vector<MapScenario> scenarios,
                           const MapEpisodeOptions& options = {});

// the seed of one episode
constexpr std::uint64_t episode_seed(std::uint64_t seed, int number) {
  return seed * 1'000'003 + static_cast<std::uint64_t>(number);
}

}  // namespace elastane::maze
