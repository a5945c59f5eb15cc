// Training examples: episodes with what was observed, and what the expert would have done there (DAgger, Ross et al. 2011).
//
// One contact after another is requested, each for a while after it is met. The chain is moved by the expert, with a push
// off its plan now and then; or by the trainee, while the expert labels every step. In the second case it plans again
// every few steps, and in between its label leads back to its plan.
#pragma once

#include <vector>

#include "lab/peptide/agent.h"
#include "lab/peptide/draw_episode.h"

namespace elastane::peptide {

struct Example {
  int steps = 0;
  std::vector<float> x;       // [steps][kInputs]
  std::vector<float> target;  // [steps][kOutputs]; NaN where the chain has no such torsion
};

struct ExampleOptions {
  int steps = 96;
  double push = 0.04;         // probability per step that a push of some steps begins
  int plan_every = 6;         // steps, where the trainee moves the chain
  double policy_share = 0.9;  // of those steps; in the others the expert moves it
  ExpertOptions expert = {.plans = 8, .enough = 2};
};

// A function of (seed, number) and, if there is one, of what the trainee does. Sequences and contacts are not those of
// any benchmark.
Example make_example(std::uint64_t seed, int number, Agent* trainee, const ExampleOptions& options = {});

}  // namespace elastane::peptide
