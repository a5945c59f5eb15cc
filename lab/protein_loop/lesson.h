// Passes to learn from: what a network would see of each window, and what the corrector would make of it.
//
// The chain is bent again now and then, and moved only part of the way that the teacher shows, so that gaps of all
// sizes are seen; or it is moved by the network that learns, with the teacher looking on (DAgger, Ross et al. 2011).
#pragma once

#include <memory>
#include <vector>

#include "elastane/core/allocation/depth_examples.h"
#include "lab/protein_loop/window_agent.h"

namespace elastane::protein_loop {

struct Lesson {
  int steps = 0;
  std::vector<float> x;       // [steps][kInputs]
  std::vector<float> target;  // [steps][kOutputs]
};

struct LessonOptions {
  int residues = 100;      // of the protein
  int depth = 10;          // micro-steps of the teacher
  double again = 0.06;     // share of windows in which the chain is bent once more
  double most_bend = 0.3;  // radians, the deviation of such a bend
};

// from (seed, number) alone, and what the follower does, if there is one; proteins are not those of any benchmark
Lesson teach(std::uint64_t seed, int number, WindowAgent* follower, const LessonOptions& options = {});

// What a gate learns from: passes of an agent over damaged proteins, with the whole energy of the window as each depth
// leaves it. Costs are mean multiply-adds, in thousands.
DepthExamples gather_depths(WindowAgent& agent, int depth, std::uint64_t seed, int episodes);

// a gate that refines every other window or so: it goes where a gate may go that is still to be learned
GateOptions drawn_depths(int depth);

// What a metric learns from: a damaged window as an agent without a network met it, apart from its protein.
struct MetWindow {
  std::unique_ptr<const Surroundings> surroundings;  // of the energy
  Energy energy;
  Emphasis emphasis;
  Torsions torsions;
};
// one of every pass in which there is any: neighbours are much alike
std::vector<MetWindow> gather_windows(WindowAgent& agent, std::uint64_t seed, int episodes);

}  // namespace elastane::protein_loop
