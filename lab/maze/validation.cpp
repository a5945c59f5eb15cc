#include "lab/maze/validation.h"

namespace elastane::maze {

ValidationScore validation_score(Agent& agent, const ValidationOptions& options) {
  ValidationScore score;
  double steps = 0;
  for (int i = 0; i < options.mazes; ++i) {
    const Episode episode = draw_lattice(options.lattice, kValidationSeeds + static_cast<std::uint64_t>(i));
    Environment environment(episode);
    agent.begin(episode);
    while (!environment.over()) {
      agent.watch(environment);
      environment.step(agent.act(environment.observe()));
      const StepReport& report = agent.report();
      steps += 1;
      score.depth += report.depth;
      score.idle += report.depth == 0 ? 1 : 0;
      score.macs += static_cast<double>(report.total_macs());
    }
    if (!environment.arrived()) continue;
    score.within_2 += environment.ratio() <= 2 ? 1 : 0;
    score.within_3 += environment.ratio() <= 3 ? 1 : 0;
    score.within_4 += environment.ratio() <= 4 ? 1 : 0;
  }
  for (double* share : {&score.within_2, &score.within_3, &score.within_4}) *share /= options.mazes;
  for (double* mean : {&score.depth, &score.idle, &score.macs}) *mean /= steps;
  return score;
}

}  // namespace elastane::maze
