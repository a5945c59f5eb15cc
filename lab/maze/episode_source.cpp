#include "lab/maze/episode_source.h"

#include "lab/maze/lattice.h"

namespace elastane::maze {

EpisodeSource lattice_episodes(int size) {
  return {.name = size == LatticeOptions{}.size ? "maze" : "maze_" + std::to_string(size),
          .shape = {size, size, Moves::four},
          .draw = [size](std::uint64_t seed, int number) {
            return draw_lattice({.size = size}, episode_seed(seed, number));
          }};
}

EpisodeSource map_episodes(const std::string& name, const Grid& map, std::vector<MapScenario> scenarios,
                           const MapEpisodeOptions& options) {
  // scenarios whose start is the goal are left out
  std::erase_if(scenarios, [](const MapScenario& scenario) { return scenario.start == scenario.goal; });
  return {
      .name = name, .shape = {map.width(), map.height(), Moves::eight}, .draw = [=](std::uint64_t seed, int number) {
        const auto which = static_cast<std::size_t>(number) % scenarios.size();
        Episode episode = make_episode(map, scenarios[which], options.known).value();
        episode.seed = episode_seed(seed, number);
        return options.unchanging ? episode : with_change(episode, {}, episode.seed);
      }};
}

}  // namespace elastane::maze
