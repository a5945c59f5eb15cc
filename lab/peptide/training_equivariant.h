// Training of the peptide world's SE(3)-equivariant transformer, which is not a model of the engine.
#pragma once

#include <cstdint>
#include <string>

#include "lab/training/run.h"

namespace elastane::peptide {

// the examples to learn from
struct ExampleOptions {
  int lessons = 1200;      // episodes of the expert
  std::string follow;      // a model that moves the chain while the expert labels its steps, or ""
  int followed = 0;        // episodes of that
  bool corrected = false;  // that model is corrected
};

struct EquivariantRun {
  std::uint64_t seed = 1;
  std::int64_t steps = 3000, batch = 256;
  double rate = 2e-3;
  std::string init;  // weights to start from, or ""
  std::string output = "peptide_equivariant.safetensors";
  lab::TrainingRecord record;
};
void train_equivariant(const ExampleOptions& options, const EquivariantRun& run);

}  // namespace elastane::peptide
