#include "lab/maze/episode.h"

namespace elastane::maze {

void measure_shortest(Episode& episode) {
  const auto from = static_cast<std::size_t>(episode.before.index(episode.start));
  episode.shortest = distances_to(episode.before, episode.goal, episode.moves)[from];
}

}  // namespace elastane::maze
