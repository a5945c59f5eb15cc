// Tests of lab/frost/changes.cpp: a start from below is never deeper, and its classes are those of a cold start.
#include "lab/frost/changes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lab/frost/cells.h"

namespace elastane::frost {
namespace {

const benchmark::DepthRow& find(const std::vector<benchmark::DepthRow>& rows, const std::string& task,
                                const std::string& method) {
  return *std::ranges::find_if(
      rows, [&](const benchmark::DepthRow& row) { return row.task == task && row.method == method; });
}

TEST(FrostChanges, OpeningsAreCheapFromBelow) {
  const ModelConfig config = cells_config(Task::grid, 8);
  const ModelFile file{.config = config, .tensors = random_tensors(config, 4), .metadata = {}};
  const auto rows = test_changes(file, {.size = 6, .episodes = 2, .steps = 6});
  ASSERT_EQ(rows.size(), 9U);
  EXPECT_LE(find(rows, "opening", "warm_below").mean_depth, find(rows, "opening", "cold").mean_depth);
  EXPECT_EQ(find(rows, "closing", "warm_below").mean_depth, find(rows, "closing", "cold").mean_depth);
  EXPECT_EQ(find(rows, "all", "cold").cases, 12);
  EXPECT_EQ(find(rows, "all", "cold").violations, 0);
  EXPECT_NE(changes_table(rows).find("| opening | warm_below |"), std::string::npos);
  EXPECT_EQ(changes_table({}), "");
}

}  // namespace
}  // namespace elastane::frost
