// Training examples: passes with what a network would observe of each window, and what the corrector would make of it.
//
// The chain is bent again now and then, and moved only part of the distance that the teacher shows, so that gaps of all
// sizes occur; or it is moved by the trainee, while the teacher labels every window (DAgger, Ross et al. 2011).
#pragma once

#include <memory>
#include <vector>

#include "elastane/core/allocation/depth_examples.h"
#include "lab/protein_loop/window_agent.h"

namespace elastane::protein_loop {

struct Example {
  int steps = 0;
  std::vector<float> x;       // [steps][kInputs]
  std::vector<float> target;  // [steps][kOutputs]
};

struct ExampleOptions {
  int residues = 100;     // of the protein
  int depth = 10;         // micro-steps of the teacher
  double again = 0.06;    // share of windows in which the chain is bent once more
  double max_bend = 0.3;  // radians, the deviation of such a bend
};

// A function of (seed, number) and, if there is one, of what the trainee does. Proteins are not those of any benchmark.
Example make_example(std::uint64_t seed, int number, WindowAgent* trainee, const ExampleOptions& options = {});

// Examples for a gate: passes of an agent over damaged proteins, with the full energy of the window after each depth. Costs
// are mean multiply-adds, in thousands.
DepthExamples gather_depth_examples(WindowAgent& agent, int depth, std::uint64_t seed, int episodes);

// a gate that refines about every other window: it visits what a gate still to be trained may visit
GateOptions random_depths(int depth);

// An example for a metric: a damaged window as an agent without a network met it, independent of its protein.
struct DamagedWindow {
  std::unique_ptr<const Surroundings> surroundings;  // of the energy
  Energy energy;
  Emphasis emphasis;
  Torsions torsions;
};
// one of every pass that has any: neighbouring windows are much alike
std::vector<DamagedWindow> gather_windows(WindowAgent& agent, std::uint64_t seed, int episodes);

}  // namespace elastane::protein_loop
