// The loops that are measured: the benchmark's, windows elsewhere in the same proteins for tuning, or built ones.
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

// folder: of the benchmark's loops. shift: residues by which windows lie elsewhere, so that settings are not chosen on
// what is reported; those that do not fit are left out. Throws where a file does not say what it should.
std::vector<NamedLoop> benchmark_loops(const std::string& folder, int shift);

// loops of proteins that the world builds itself
std::vector<NamedLoop> built_loops(int count, std::uint64_t seed);

}  // namespace elastane::protein_loop
