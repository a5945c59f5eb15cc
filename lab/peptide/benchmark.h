// The peptide table as a benchmark: every agent of the roster on the same episodes.
#pragma once

#include <memory>
#include <string>

#include "elastane/core/base/result.h"
#include "lab/benchmark/benchmark.h"

namespace elastane::peptide {

// with the networks of a folder
Result<std::unique_ptr<benchmark::Benchmark>> make_benchmark(const std::string& models);

}  // namespace elastane::peptide
