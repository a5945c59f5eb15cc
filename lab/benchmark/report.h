// The tables of a benchmark, as text that a terminal and a Markdown file both show well.
#pragma once

#include <span>
#include <string>

#include "lab/benchmark/findings.h"

namespace elastane::benchmark {

// success, steps, violations, regret; published figures in a row of their own under ours
std::string outcome_table(std::span<const Row> rows);
// what a step costs: times, products, acceptance, compute
std::string cost_table(std::span<const Row> rows);
// success against the time of the change, steps against its size; empty where nothing changes
std::string change_table(std::span<const Row> rows);
// where micro-steps went: mean K by kind of place, one table for each kind; empty where nothing is counted
std::string depth_tables(std::span<const Row> rows);
// µs per step, stage by stage; empty where nothing is corrected
std::string stage_table(std::span<const Row> rows);
// the claims of a benchmark and whether they hold; empty where nothing is claimed
std::string claim_table(std::span<const Finding> found);

}  // namespace elastane::benchmark
