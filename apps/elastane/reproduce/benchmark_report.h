// The tables of a benchmark, as text that a terminal and a Markdown file both show well.
#pragma once

#include <span>
#include <string>

#include "lab/benchmark/findings.h"

namespace elastane::app {

// how well: success, steps, violations, regret; a source's figures in a row of their own under ours
std::string outcome_table(std::span<const benchmark::Row> rows);
// at what price: times, products, acceptance, compute
std::string price_table(std::span<const benchmark::Row> rows);
// success against the time of the change, steps against its size; empty where nothing changes
std::string change_table(std::span<const benchmark::Row> rows);
// where micro-steps went: mean K by kind of place, a table for every way of counting; empty where nothing is counted
std::string depth_tables(std::span<const benchmark::Row> rows);
// µs of a step, stage by stage; empty where nothing is corrected
std::string stage_table(std::span<const benchmark::Row> rows);
// what a benchmark is meant to show, and whether it does; empty where nothing is claimed
std::string claim_table(std::span<const benchmark::Finding> found);

}  // namespace elastane::app
