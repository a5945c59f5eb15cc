#include "lab/protein_loop/run_episode.h"

#include "elastane/core/base/clock.h"

namespace elastane::protein_loop {

EpisodeResult run_episode(const Episode& episode, WindowAgent& agent,
                          const std::function<void(const Step&)>& observer) {
  EpisodeResult result;
  Environment environment = episode.bent;
  Surroundings surroundings(environment.protein(), {});
  agent.begin();
  for (int step = 0; step < episode.windows(); ++step) {
    const Window window = episode.window(step);
    const Energy energy(environment.protein(), surroundings, window);
    Torsions torsions = environment.torsions(window);
    const double start = now_micros();
    const WindowReport report = agent.step(energy, torsions);
    ++result.steps;
    result.depth += report.depth, result.accepted += report.accepted, result.macs += report.macs;
    result.refined += report.depth > 0 ? 1 : 0;
    if (report.moved) {
      environment.commit(energy, torsions, agent.point().conformation);
      surroundings.rebuild(environment.protein());
    }
    const double micros = now_micros() - start;
    const int residue = episode.residue(step);
    if (observer) observer({environment, step, residue, episode.distance(residue), micros, report});
  }
  result.assessment = assess(environment, episode.stretch);
  result.native = assess(episode.native, episode.stretch);
  return result;
}

benchmark::Outcome outcome_of(const EpisodeResult& result) {
  benchmark::Outcome outcome;
  outcome.success = result.assessment.is_repaired();
  outcome.steps = outcome.steps_after_change = result.steps;
  outcome.violations = result.assessment.clashes + result.assessment.disallowed;
  outcome.energy = result.excess();
  outcome.idle = result.steps - result.refined;
  outcome.corrections = result.depth;
  outcome.accepted = result.accepted;
  outcome.macs = result.macs;
  return outcome;
}

}  // namespace elastane::protein_loop
