#include "lab/maze/demonstration.h"

#include <optional>

#include "elastane/core/base/random.h"
#include "elastane/core/stream/stream.h"
#include "lab/maze/expert.h"

namespace elastane::maze {

Demonstration demonstrate(const DemonstrationOptions& options, std::uint64_t seed) {
  Random random(seed, 1ULL << 50U);
  const Task task = draw_lattice(options.lattice, kLessons ^ seed);
  Walk walk(task);
  Replanner expert;
  expert.begin(task);
  std::optional<Stream> driver;
  if (options.driver != nullptr && random.uniform() >= options.expert_share) driver.emplace(*options.driver);

  Demonstration shown;
  MapLatent map(task.plan.width(), task.plan.height(), task.moves);
  map.begin(task.plan, task.goal);
  std::vector<float> x(static_cast<std::size_t>(options.inputs()));
  for (int t = 0; t < options.steps && !walk.arrived(); ++t) {
    const Sight sight = walk.look();
    expert.see(sight);
    speak(sight, x);
    if (options.map) {
      map.write(sight);
      speak(map, sight, std::span(x).subspan(kInputs));
    }
    shown.x.insert(shown.x.end(), x.begin(), x.end());
    const Replanner::Shares shares = expert.shares();
    shown.target.insert(shown.target.end(), shares.begin(), shares.begin() + kOutputs);
    int way = expert.act();
    if (driver) {
      driver->advance(x);
      way = best_way(sight, driver->output());
    }
    if (random.uniform() < options.stray) way = random.below(kOutputs);
    walk.move(way);
  }
  return shown;
}

}  // namespace elastane::maze
