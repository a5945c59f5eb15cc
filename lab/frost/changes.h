// Grids in which one cell per step opens or closes: what the fixed point of the step before is worth as a start.
//
// From below h rises by one cell per iteration, so after an opening a warm start is ready at once. From above it decays by
// c per iteration: after a closing it is worse than a cold start. `warm_below` starts warm after openings alone.
#pragma once

#include "elastane/io/model_file.h"
#include "lab/benchmark/depth_rows.h"

namespace elastane::frost {

inline constexpr const char* kChangeMethods[] = {"cold", "warm", "warm_below"};

struct ChangesTest {
  int size = 12, episodes = 20, steps = 20;
  std::uint64_t first_seed = 1ULL << 41U;
};
// Rows of part "changes": tasks opening, closing and all. mean_depth: iterations until every class is proven; curve: the
// largest of them; violations: cells that differ from those of a cold start
std::vector<benchmark::DepthRow> test_changes(const ModelFile& file, const ChangesTest& test);

std::string changes_table(const std::vector<benchmark::DepthRow>& rows);

}  // namespace elastane::frost
