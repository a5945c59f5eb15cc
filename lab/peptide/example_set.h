// Training examples of the peptide world, made on all cores.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lab/peptide/example.h"

namespace elastane::peptide {

// which examples to learn from
struct TrainingExamples {
  int examples = 1200;     // episodes of the expert
  std::string follow;      // a model that moves the chain while the expert labels its steps, or ""
  int followed = 0;        // episodes of that
  bool corrected = false;  // that model is corrected
};

inline constexpr std::uint64_t kHeldOutSeed = 1ULL << 40U;  // of examples that are not learned from

// makes the trainee of a thread; empty: the expert moves the chain
using MakeTrainee = std::function<std::unique_ptr<Agent>()>;

// examples first … first + count − 1 of a seed; they do not depend on the threads
std::vector<Example> make_examples(std::uint64_t seed, int first, int count, const MakeTrainee& make_trainee = {});

}  // namespace elastane::peptide
