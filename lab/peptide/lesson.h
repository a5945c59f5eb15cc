// Episodes to learn from: what was observed, and what the expert would have done there (DAgger, Ross et al. 2011).
//
// One contact after another is asked for, each for a while after it is met. The chain is moved by the expert, pushed
// off its way now and then, or by the policy that learns, with the expert looking on: it plans anew every few steps,
// and in between says how to get back to its way.
#pragma once

#include <vector>

#include "lab/peptide/draw.h"
#include "lab/peptide/driver.h"

namespace elastane::peptide {

struct Lesson {
  int steps = 0;
  std::vector<float> x;       // [steps][kInputs]
  std::vector<float> target;  // [steps][kOutputs]; not a number where the chain has no such torsion
};

struct LessonOptions {
  int steps = 96;
  double push = 0.04;         // share of steps at which a push of some steps begins
  int plan_every = 6;         // steps, where the policy moves the chain
  double policy_share = 0.9;  // of those steps; the others are the expert's
  ExpertOptions expert = {.ways = 8, .enough = 2};
};

// from (seed, number) alone, and what the driver does, if there is one; sequences and contacts are not those of any
// benchmark
Lesson teach(std::uint64_t seed, int number, Driver* driver, const LessonOptions& options = {});

}  // namespace elastane::peptide
