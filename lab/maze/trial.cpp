#include "lab/maze/trial.h"

namespace elastane::maze {

TrialScore try_out(Agent& agent, const TrialOptions& options) {
  TrialScore score;
  double steps = 0;
  for (int i = 0; i < options.mazes; ++i) {
    const Task task = draw_lattice(options.lattice, kTrials + static_cast<std::uint64_t>(i));
    Walk walk(task);
    agent.begin(task);
    while (!walk.over()) {
      agent.watch(walk);
      walk.move(agent.act(walk.look()));
      const StepReport& report = agent.report();
      steps += 1;
      score.depth += report.depth;
      score.idle += report.depth == 0 ? 1 : 0;
      score.macs += static_cast<double>(report.total_macs());
    }
    if (!walk.arrived()) continue;
    score.within_2 += walk.ratio() <= 2 ? 1 : 0;
    score.within_3 += walk.ratio() <= 3 ? 1 : 0;
    score.within_4 += walk.ratio() <= 4 ? 1 : 0;
  }
  for (double* share : {&score.within_2, &score.within_3, &score.within_4}) *share /= options.mazes;
  for (double* mean : {&score.depth, &score.idle, &score.macs}) *mean /= steps;
  return score;
}

}  // namespace elastane::maze
