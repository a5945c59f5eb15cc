// Loops to repair: those of the public benchmark, other windows of the same proteins for tuning, or loops of built proteins.
#pragma once

#include <string>
#include <vector>

#include "lab/protein_loop/protein.h"

namespace elastane::protein_loop {

struct NamedLoop {
  std::string name;
  Protein protein;
  Window window;
};

// folder: of the benchmark's loops. shift: moves the windows by so many residues, so that settings are not chosen on what is
// reported; windows that do not fit are left out. Throws what is wrong with a file.
std::vector<NamedLoop> benchmark_loops(const std::string& folder, int shift);

// loops of built proteins
std::vector<NamedLoop> built_loops(int count, std::uint64_t seed);

}  // namespace elastane::protein_loop
