#include "lab/protein_loop/recording.h"

#include <algorithm>
#include <cstdio>

#include "lab/benchmark/recording_checks.h"
#include "lab/benchmark/shown_agents.h"
#include "lab/protein_loop/benchmark.h"
#include "lab/protein_loop/bend.h"
#include "lab/protein_loop/own_loop.h"
#include "lab/protein_loop/play.h"

namespace elastane::protein_loop {
namespace {

// of the stretch and the residues on either side of it
std::vector<Vector3> trace_of(const Protein& protein, const Window& stretch) {
  std::vector<Vector3> trace;
  for (int i = stretch.first - 1; i <= stretch.last() + 1; ++i) {
    const Vec3 ca = protein.residue(i).at.ca;
    trace.push_back({ca.x, ca.y, ca.z});
  }
  return trace;
}

double widest_gap(const Fold& fold, const Window& stretch) {
  double widest = 0;
  for (int i = stretch.first - 1; i <= stretch.last(); ++i) widest = std::max(widest, fold.gap(i));
  return widest;
}

struct Recorded {
  LoopAgent agent;
  Pass pass;
  Protein last;
};

Recorded record_agent(const Agent& agent, const Networks& networks, const Damage& damage) {
  Recorded out;
  const std::unique_ptr<WindowAgent> player = make_agent(agent, networks);
  out.pass = play(damage, *player, [&](const PassedWindow& window) {
    LoopStep step;
    step.moment.depth = window.did.depth;
    step.moment.loss_before = window.did.before;
    step.moment.loss_after = window.did.after;
    step.trace = trace_of(window.fold.protein(), damage.stretch);
    step.gap = widest_gap(window.fold, damage.stretch);
    out.agent.steps.push_back(std::move(step));
    if (window.step + 1 == damage.windows()) out.last = window.fold.protein();
  });
  const FoldVerdict& verdict = out.pass.verdict;
  out.agent.caption = {.name = agent.name,
                       .what = agent.what,
                       .success = verdict.is_repaired(out.pass.native.clashes, out.pass.native.disallowed),
                       .steps = out.pass.steps,
                       .violations = verdict.clashes + verdict.disallowed};
  return out;
}

Result<std::vector<Agent>> chosen_agents(const Networks& networks, const benchmark::RecordingRequest& request) {
  const std::vector<std::string> usual = {"ssm", "transformer", "esm"};
  return benchmark::shown_agents(request.agents.empty() ? usual : request.agents,
                                 agents(networks, depths_of_gate(networks)));
}

// all but the story and the agents' ways
LoopRecording begun(const Damage& damage, const benchmark::RecordingRequest& request) {
  const Protein& protein = damage.native.protein();
  const int before = damage.stretch.first - 1;
  LoopRecording r(request.seed, request.episode);
  r.title = "A loop of a protein is bent, and the chain is broken";
  r.loop_first = damage.loop.first - before;
  r.loop_last = damage.loop.last() - before;
  r.lead = damage.residue(0) - before;
  r.native = trace_of(protein, damage.stretch);
  for (std::size_t i = 0; i < r.native.size(); ++i) r.sequence += protein.residue(before + static_cast<int>(i)).letter;
  return r;
}

const char* const kPassing =
    "A window of twelve residues passes over it once, from left to right; nobody knows where the damage is. Colours "
    "say how many steps of refinement each residue was given.";

// "5.2 Å"
std::string angstroms(double length) {
  char text[16];
  std::snprintf(text, sizeof text, "%.1f Å", length);
  return text;
}

std::string own_story(const Damage& damage, double off) {
  const Protein& protein = damage.native.protein();
  const auto named = [&](int i) { return protein.residue(i).name; };
  const int shown = damage.stretch.residues + 2, beyond = protein.size() - shown;
  std::string story = "Residues " + named(damage.loop.first) + " to " + named(damage.loop.last()) + " of " +
                      protein.name + " were bent by " + angstroms(off) +
                      ", so that the chain no longer meets what follows. " + kPassing + " Shown is the stretch from " +
                      named(damage.stretch.first - 1) + " to " + named(damage.stretch.last() + 1) +
                      ", laid into ideal geometry first; it is passed over but for its two ends.";
  if (beyond > 0) story += " The other " + std::to_string(beyond) + " residues stay in place, there to bump into.";
  return story + " Repaired means closed, with no more clashes and bad torsions than before the loop was bent.";
}

}  // namespace

Result<LoopRecording> record(const Networks& networks, const benchmark::RecordingRequest& request) {
  if (request.episode < 0) {
    return Error{"[play] episode: expected 0 or more, found " + std::to_string(request.episode)};
  }
  const auto chosen = chosen_agents(networks, request);
  if (!chosen) return Error{chosen.error()};
  const Damage damage = draw_damage(request.seed, request.episode);
  LoopRecording r = begun(damage, request);
  r.story = "Residues " + std::to_string(damage.loop.first + 1) + " to " + std::to_string(damage.loop.last() + 1) +
            " of " + std::to_string(damage.native.size()) +
            " were bent by 4 to 8 Å, so that the chain no longer meets what follows. " + kPassing;
  for (const Agent& agent : *chosen) r.agents.push_back(record_agent(agent, networks, damage).agent);
  return r;
}

Result<OwnRecording> record_own(const Networks& networks, const benchmark::RecordingRequest& request,
                                const Protein& protein, const Window& loop) {
  const auto damage = bend_own(protein, loop, request.seed, request.episode);
  if (!damage) return Error{damage.error()};
  const auto chosen = chosen_agents(networks, request);
  if (!chosen) return Error{chosen.error()};
  OwnRecording own{.recording = begun(*damage, request), .left = {}};
  const auto leave = [&](const std::string& by, const Protein& left, const FoldVerdict& verdict) {
    own.left.push_back({by, left, loop_rmsd(left, protein, loop), verdict});
  };
  leave("native, ideal geometry", damage->native.protein(), judge(damage->native, damage->stretch));
  leave("bent", damage->bent.protein(), judge(damage->bent, damage->stretch));
  own.recording.story = own_story(*damage, own.left.back().rmsd);
  for (const Agent& agent : *chosen) {
    Recorded recorded = record_agent(agent, networks, *damage);
    leave(agent.name, recorded.last, recorded.pass.verdict);
    own.recording.agents.push_back(std::move(recorded.agent));
  }
  return own;
}

Status LoopRecording::validate() const {
  if (Status found = benchmark::check_agents(agents); !found) return found;
  const std::size_t residues = sequence.size();
  if (native.size() != residues || residues < 2) return benchmark::wrong_size("native trace", residues, native.size());
  if (!benchmark::is_below(loop_first, residues) || !benchmark::is_below(loop_last, residues)) {
    return Error{"[recording] loop: expected residues that there are, found " + std::to_string(loop_first) + ", " +
                 std::to_string(loop_last)};
  }
  for (const LoopAgent& agent : agents) {
    for (const LoopStep& step : agent.steps) {
      if (step.trace.size() != residues)
        return benchmark::wrong_size(agent.caption.name + ", trace", residues, step.trace.size());
    }
  }
  return {};
}

}  // namespace elastane::protein_loop
