// Training examples of the protein loops, made on all cores, and kept in files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/protein_loop/example.h"

namespace elastane::protein_loop {

inline constexpr std::uint64_t kHeldOutSeed = 1ULL << 40U;  // of examples that are not learned from
inline constexpr int kHeldOutExamples = 24;

// Examples first … first + count − 1 of a seed; they do not depend on the threads. trainee: a model that moves the chain, or
// nullptr.
std::vector<Example> make_examples(std::uint64_t seed, int first, int count, const Model* trainee);

// The first `count` examples of a seed: read from the file if it exists, otherwise made, and written to it. "": no file.
// Throws if the file holds other examples.
std::vector<Example> kept_examples(const std::string& path, std::uint64_t seed, int count);

}  // namespace elastane::protein_loop
