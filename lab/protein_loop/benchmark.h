// The table of protein loops as a benchmark: every agent of the roster on the same damaged proteins.
#pragma once

#include <memory>
#include <string>

#include "elastane/core/base/result.h"
#include "lab/benchmark/benchmark.h"
#include "lab/protein_loop/roster.h"

namespace elastane::protein_loop {

// how often the learned gate chooses each depth, on proteins that are in no table: what the random gate draws from
std::vector<double> depths_of_gate(const Networks& networks);

// with the networks and the gate of a folder
Result<std::unique_ptr<benchmark::Benchmark>> make_benchmark(const std::string& models);

}  // namespace elastane::protein_loop
