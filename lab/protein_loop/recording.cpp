#include "lab/protein_loop/recording.h"

#include <algorithm>
#include <cstdio>

#include "lab/benchmark/recording_checks.h"
#include "lab/benchmark/shown_agents.h"
#include "lab/protein_loop/benchmark.h"
#include "lab/protein_loop/bend.h"
#include "lab/protein_loop/custom_loop.h"
#include "lab/protein_loop/run_episode.h"

namespace elastane::protein_loop {
namespace {

// CA of the stretch and of the residues on either side of it
std::vector<Vec3> trace_of(const Protein& protein, const Window& stretch) {
  std::vector<Vec3> trace;
  for (int i = stretch.first - 1; i <= stretch.last() + 1; ++i) trace.push_back(protein.residue(i).at.ca);
  return trace;
}

double widest_gap(const Environment& environment, const Window& stretch) {
  double widest = 0;
  for (int i = stretch.first - 1; i <= stretch.last(); ++i) widest = std::max(widest, environment.gap(i));
  return widest;
}

struct RecordedAgent {
  LoopAgent agent;
  EpisodeResult result;
  Protein last;
};

RecordedAgent record_agent(const RosterEntry& entry, const Networks& networks, const Episode& episode) {
  RecordedAgent out;
  const std::unique_ptr<WindowAgent> agent = make_agent(entry, networks);
  out.result = run_episode(episode, *agent, [&](const Step& step) {
    LoopStep shown;
    shown.moment.depth = step.report.depth;
    shown.moment.loss_before = step.report.before;
    shown.moment.loss_after = step.report.after;
    shown.trace = trace_of(step.environment.protein(), episode.stretch);
    shown.gap = widest_gap(step.environment, episode.stretch);
    out.agent.steps.push_back(std::move(shown));
    if (step.step + 1 == episode.windows()) out.last = step.environment.protein();
  });
  const Assessment &assessment = out.result.assessment, &native = out.result.native;
  out.agent.caption = {.name = entry.name,
                       .what = entry.what,
                       .success = assessment.is_repaired(native.clashes, native.disallowed),
                       .steps = out.result.steps,
                       .violations = assessment.clashes + assessment.disallowed};
  return out;
}

Result<std::vector<RosterEntry>> chosen_agents(const Networks& networks, const benchmark::RecordingRequest& request) {
  const std::vector<std::string> usual = {"ssm", "transformer", "esm"};
  return benchmark::shown_agents(request.agents.empty() ? usual : request.agents,
                                 roster(networks, depths_of_gate(networks)));
}

// everything but the caption and the agents
LoopRecording begin_recording(const Episode& episode, const benchmark::RecordingRequest& request) {
  const Protein& protein = episode.native.protein();
  const int before = episode.stretch.first - 1;
  LoopRecording r(request.seed, request.episode);
  r.title = "A loop of a protein is bent, and the chain is broken";
  r.loop_first = episode.loop.first - before;
  r.loop_last = episode.loop.last() - before;
  r.lead = episode.residue(0) - before;
  r.native = trace_of(protein, episode.stretch);
  for (std::size_t i = 0; i < r.native.size(); ++i) r.sequence += protein.residue(before + static_cast<int>(i)).letter;
  return r;
}

const char* const kPass =
    "A window of twelve residues slides over it once, from left to right; no agent knows where the damage is. Colours "
    "show how many refinement steps each residue received.";

// "5.2 Å"
std::string angstroms(double length) {
  char text[16];
  std::snprintf(text, sizeof text, "%.1f Å", length);
  return text;
}

std::string custom_caption(const Episode& episode, double off) {
  const Protein& protein = episode.native.protein();
  const auto named = [&](int i) { return protein.residue(i).name; };
  const int shown = episode.stretch.residues + 2, beyond = protein.size() - shown;
  std::string caption =
      "Residues " + named(episode.loop.first) + " to " + named(episode.loop.last()) + " of " + protein.name +
      " were bent by " + angstroms(off) + ", so that the chain no longer meets the next residue. " + kPass +
      " The picture shows the stretch from " + named(episode.stretch.first - 1) + " to " +
      named(episode.stretch.last() + 1) + ", fitted with ideal geometry first; its two end residues stay in place.";
  if (beyond > 0) caption += " So do the other " + std::to_string(beyond) + " residues, as obstacles.";
  return caption + " Repaired means closed, with no more clashes and bad torsions than before the loop was bent.";
}

}  // namespace

Result<LoopRecording> record(const Networks& networks, const benchmark::RecordingRequest& request) {
  if (request.episode < 0) {
    return Error{"[play] episode: expected 0 or more, found " + std::to_string(request.episode)};
  }
  const auto chosen = chosen_agents(networks, request);
  if (!chosen) return Error{chosen.error()};
  const Episode episode = draw_episode(request.seed, request.episode);
  LoopRecording r = begin_recording(episode, request);
  r.summary = "Residues " + std::to_string(episode.loop.first + 1) + " to " + std::to_string(episode.loop.last() + 1) +
              " of " + std::to_string(episode.native.size()) +
              " were bent by 4 to 8 Å, so that the chain no longer meets the next residue. " + kPass;
  for (const RosterEntry& entry : *chosen) r.agents.push_back(record_agent(entry, networks, episode).agent);
  return r;
}

Result<CustomLoopRecording> record_custom_loop(const Networks& networks, const benchmark::RecordingRequest& request,
                                               const Protein& protein, const Window& loop) {
  const auto episode = bend_custom_loop(protein, loop, request.seed, request.episode);
  if (!episode) return Error{episode.error()};
  const auto chosen = chosen_agents(networks, request);
  if (!chosen) return Error{chosen.error()};
  CustomLoopRecording custom{.recording = begin_recording(*episode, request), .results = {}};
  const auto add = [&](const std::string& by, const Protein& left, const Assessment& assessment) {
    custom.results.push_back({by, left, loop_rmsd(left, protein, loop), assessment});
  };
  add("native, ideal geometry", episode->native.protein(), assess(episode->native, episode->stretch));
  add("bent", episode->bent.protein(), assess(episode->bent, episode->stretch));
  custom.recording.summary = custom_caption(*episode, custom.results.back().rmsd);
  for (const RosterEntry& entry : *chosen) {
    RecordedAgent recorded = record_agent(entry, networks, *episode);
    add(entry.name, recorded.last, recorded.result.assessment);
    custom.recording.agents.push_back(std::move(recorded.agent));
  }
  return custom;
}

Status LoopRecording::validate() const {
  if (Status found = benchmark::check_agents(agents); !found) return found;
  const std::size_t residues = sequence.size();
  if (native.size() != residues || residues < 2) return benchmark::wrong_size("native trace", residues, native.size());
  if (!benchmark::is_below(loop_first, residues) || !benchmark::is_below(loop_last, residues)) {
    return Error{"[recording] loop: expected residues of the chain, found " + std::to_string(loop_first) + ", " +
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
