// The benchmarks of `elastane bench`, one file each, and what they share.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "command_line/options.h"

namespace elastane::bench {

using Json = nlohmann::ordered_json;

inline constexpr std::uint64_t kWeightSeed = 1;  // of the random weights that are timed

void add_bench(command_line::Command& program);

void add_bench_step(command_line::Command& bench);
void add_bench_correct(command_line::Command& bench);
void add_bench_budget(command_line::Command& bench);
void add_bench_attention(command_line::Command& bench);
void add_bench_forecast(command_line::Command& bench);

// to a file, unless its name is empty
void write_rows(const std::string& path, const Json& rows);

// numbers of a table; empty where nothing was measured
std::string shown(const Json& value, int digits = 1);
std::string ratio(const Json& over, const Json& under);

}  // namespace elastane::bench
