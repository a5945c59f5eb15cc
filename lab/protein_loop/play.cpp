#include "lab/protein_loop/play.h"

#include "elastane/core/base/clock.h"

namespace elastane::protein_loop {

Pass play(const Damage& damage, WindowAgent& agent, const std::function<void(const PassedWindow&)>& see) {
  Pass pass;
  Fold fold = damage.bent;
  Surroundings surroundings(fold.protein(), {});
  agent.begin();
  for (int step = 0; step < damage.windows(); ++step) {
    const Window window = damage.window(step);
    const Energy energy(fold.protein(), surroundings, window);
    Torsions torsions = fold.torsions(window);
    const double begun = now_micros();
    const WindowStep did = agent.step(energy, torsions);
    ++pass.steps;
    pass.depth += did.depth, pass.accepted += did.accepted, pass.macs += did.macs;
    pass.refined += did.depth > 0 ? 1 : 0;
    if (did.moved) {
      fold.commit(energy, torsions, agent.point().conformation);
      surroundings.rebuild(fold.protein());
    }
    const double micros = now_micros() - begun;
    const int residue = damage.residue(step);
    if (see) see({fold, step, residue, damage.distance(residue), micros, did});
  }
  pass.verdict = judge(fold, damage.stretch);
  pass.native = judge(damage.native, damage.stretch);
  return pass;
}

benchmark::Outcome outcome_of(const Pass& pass) {
  benchmark::Outcome outcome;
  outcome.success = pass.verdict.is_repaired();
  outcome.steps = outcome.steps_after_change = pass.steps;
  outcome.violations = pass.verdict.clashes + pass.verdict.disallowed;
  outcome.energy = pass.excess();
  outcome.idle = pass.steps - pass.refined;
  outcome.corrections = pass.depth;
  outcome.accepted = pass.accepted;
  outcome.macs = pass.macs;
  return outcome;
}

}  // namespace elastane::protein_loop
