#include "lab/maze/demonstration.h"

#include <optional>

#include "elastane/core/base/random.h"
#include "elastane/core/stream/stream.h"
#include "lab/maze/expert.h"

namespace elastane::maze {

Demonstration demonstrate(const DemonstrationOptions& options, std::uint64_t seed) {
  Random random(seed, 1ULL << 50U);
  const Episode episode = draw_lattice(options.lattice, kTrainingSeeds ^ seed);
  Environment environment(episode);
  Expert expert;
  expert.begin(episode);
  std::optional<Stream> driver;
  if (options.driver != nullptr && random.uniform() >= options.expert_share) driver.emplace(*options.driver);

  Demonstration shown;
  MapLatent map(episode.plan.width(), episode.plan.height(), episode.moves);
  map.begin(episode.plan, episode.goal);
  std::vector<float> x(static_cast<std::size_t>(options.inputs()));
  for (int t = 0; t < options.steps && !environment.arrived(); ++t) {
    const Observation observation = environment.observe();
    expert.observe(observation);
    encode(observation, x);
    if (options.map) {
      map.write(observation);
      encode_map(map, observation, std::span(x).subspan(kInputs));
    }
    shown.x.insert(shown.x.end(), x.begin(), x.end());
    const Expert::Shares shares = expert.shares();
    shown.target.insert(shown.target.end(), shares.begin(), shares.begin() + kOutputs);
    int move = expert.act();
    if (driver) {
      driver->advance(x);
      move = best_free_move(observation, driver->output());
    }
    if (random.uniform() < options.stray) move = random.below(kOutputs);
    environment.step(move);
  }
  return shown;
}

}  // namespace elastane::maze
