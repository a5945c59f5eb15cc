// One agent in one episode: a single pass over a damaged protein, window by window.
#pragma once

#include <functional>

#include "lab/benchmark/benchmark.h"
#include "lab/protein_loop/window_agent.h"

namespace elastane::protein_loop {

// one window, after the agent has left it
struct Step {
  const Environment& environment;
  int step;
  int residue;    // that it counts for
  int distance;   // of this residue from the bent loop
  double micros;  // that the agent took, and the grid if atoms moved
  const WindowReport& report;
};

struct EpisodeResult {
  Assessment assessment, native;                        // of the stretch at the end, and undamaged
  int depth = 0, accepted = 0, steps = 0, refined = 0;  // micro-steps; windows, and those with any
  double macs = 0;

  double excess() const { return assessment.terms.total() - native.terms.total(); }  // ΔE
};

EpisodeResult run_episode(const Episode& episode, WindowAgent& agent,
                          const std::function<void(const Step&)>& observer = {});

// as a benchmark counts: success is a repaired protein, energy ΔE, violations clashes and disallowed residues
benchmark::Outcome outcome_of(const EpisodeResult& result);

}  // namespace elastane::protein_loop
