// Prompts as a benchmark: success is that all queries of a prompt are answered right.
#pragma once

#include <memory>

#include "elastane/core/base/result.h"
#include "lab/benchmark/benchmark.h"

namespace elastane::recall {

Result<std::unique_ptr<benchmark::Benchmark>> make_benchmark(const std::string& models);

}  // namespace elastane::recall
