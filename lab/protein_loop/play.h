// One agent's pass over a damaged protein, window by window.
#pragma once

#include <functional>

#include "lab/benchmark/benchmark.h"
#include "lab/protein_loop/window_agent.h"

namespace elastane::protein_loop {

// what a window looked like, after it was left
struct PassedWindow {
  const Fold& fold;
  int step;
  int residue;    // that it is counted for
  int distance;   // of that from the bent loop
  double micros;  // that the agent took, and the grid where it moved atoms
  const WindowStep& did;
};

struct Pass {
  FoldVerdict verdict, native;                          // of the stretch at the end, and undamaged
  int depth = 0, accepted = 0, steps = 0, refined = 0;  // micro-steps; windows, and those with any
  double macs = 0;

  double excess() const { return verdict.terms.total() - native.terms.total(); }  // ΔE
};

Pass play(const Damage& damage, WindowAgent& agent, const std::function<void(const PassedWindow&)>& see = {});

// in the terms of a benchmark: success is a repaired protein, energy ΔE, violations clashes and disallowed residues
benchmark::Outcome outcome_of(const Pass& pass);

}  // namespace elastane::protein_loop
