// Training of the peptide world's SE(3)-equivariant transformer, which is not a model of the engine.
#pragma once

#include <cstdint>
#include <string>

#include "lab/peptide/example_set.h"
#include "lab/training/run.h"

namespace elastane::peptide {

struct EquivariantRun {
  std::uint64_t seed = 1;
  std::int64_t steps = 3000, batch = 256;
  double rate = 2e-3;
  std::string init;  // weights to start from, or ""
  std::string output = "peptide_equivariant.safetensors";
  lab::TrainingRecord record;
};
void train_equivariant(const TrainingExamples& examples, const EquivariantRun& run);

}  // namespace elastane::peptide
