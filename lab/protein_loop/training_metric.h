// Training of a metric of a window's torsions, the same for all windows.
#pragma once

#include <cstdint>
#include <string>

namespace elastane::protein_loop {

// command: for the metadata of the file
void train_metric(std::uint64_t seed, const std::string& command, const std::string& output);

}  // namespace elastane::protein_loop
