#include "elastane/worlds/protein_loop/recording.h"

#include <algorithm>

#include "elastane/worlds/contest/shown_agents.h"
#include "elastane/worlds/protein_loop/contest.h"
#include "elastane/worlds/protein_loop/play.h"

namespace elastane::protein_loop {
namespace {

std::vector<contest::Vector3> trace_of(const Protein& protein) {
  std::vector<contest::Vector3> trace;
  for (const ProteinResidue& r : protein.residues) trace.push_back({r.at.ca.x, r.at.ca.y, r.at.ca.z});
  return trace;
}

double widest_gap(const Fold& fold) {
  double widest = 0;
  for (int i = 0; i + 1 < fold.size(); ++i) widest = std::max(widest, fold.gap(i));
  return widest;
}

contest::LoopAgent record_agent(const Agent& agent, const Networks& networks, const Damage& damage) {
  contest::LoopAgent out;
  const std::unique_ptr<WindowAgent> player = make_agent(agent, networks);
  const Pass pass = play(damage, *player, [&](const PassedWindow& window) {
    contest::LoopStep step;
    step.moment.depth = window.did.depth;
    step.moment.loss_before = window.did.before;
    step.moment.loss_after = window.did.after;
    step.trace = trace_of(window.fold.protein());
    step.gap = widest_gap(window.fold);
    out.steps.push_back(std::move(step));
  });
  out.caption = {.name = agent.name,
                 .what = agent.what,
                 .success = pass.verdict.is_repaired(),
                 .steps = pass.steps,
                 .violations = pass.verdict.clashes + pass.verdict.disallowed};
  return out;
}

}  // namespace

Result<contest::LoopRecording> record(const Networks& networks, const contest::RecordingRequest& request) {
  if (request.episode < 0) {
    return Error{"[play] episode: expected 0 or more, found " + std::to_string(request.episode)};
  }
  const std::vector<std::string> usual = {"ssm", "transformer", "esm"};
  const auto chosen = contest::shown_agents(request.agents.empty() ? usual : request.agents,
                                            agents(networks, depths_of_gate(networks)));
  if (!chosen) return Error{chosen.error()};
  const Damage damage = draw_damage(request.seed, request.episode);
  const Protein& protein = damage.native.protein();
  contest::LoopRecording r{.seed = request.seed, .episode = request.episode};
  r.title = "A loop of a protein is bent, and the chain is broken";
  r.story =
      "Residues " + std::to_string(damage.loop.first + 1) + " to " + std::to_string(damage.loop.last() + 1) + " of " +
      std::to_string(protein.size()) +
      " were bent by 4 to 8 Å, so that the chain no longer meets what follows. A window of twelve residues passes "
      "over it once, from left to right; nobody knows where the damage is. Colours say how many steps of "
      "refinement each residue was given.";
  for (const ProteinResidue& residue : protein.residues) r.sequence += residue.letter;
  r.loop_first = damage.loop.first;
  r.loop_last = damage.loop.last();
  r.lead = damage.residue(0);
  r.native = trace_of(protein);
  for (const Agent& agent : *chosen) r.agents.push_back(record_agent(agent, networks, damage));
  return r;
}

}  // namespace elastane::protein_loop
