// The worlds that this program was built with, and what they can do, by name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lab/world.h"

namespace elastane::lab {

const std::vector<World>& worlds();

// of all worlds, in their order
std::vector<const BenchmarkEntry*> benchmarks();
// what `elastane play` can show: benchmarks, and entries that have a recording and no table
std::vector<const BenchmarkEntry*> shows();
std::vector<const Reproduction*> reproductions();

// throws, naming those that exist, if there is none of this name
const BenchmarkEntry& find_benchmark(const std::string& name);

}  // namespace elastane::lab
