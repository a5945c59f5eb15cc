// Training of the peptide world's SE(3)-equivariant transformer, which is no model of the engine's.
#pragma once

#include <string>

#include "apps/elastane_train/task.h"

namespace elastane::app {

struct EquivariantRun {
  std::uint64_t seed = 1;
  std::int64_t steps = 3000, batch = 256;
  double rate = 2e-3;
  std::string init;  // weights to start from, or ""
  std::string output = "peptide_equivariant.safetensors";
  std::string command;
};
void train_equivariant(const PeptideOptions& options, const EquivariantRun& run);

}  // namespace elastane::app
