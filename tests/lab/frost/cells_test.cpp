// Tests of lab/frost/cells.cpp: weights of one size on other sizes, and what a test of them counts.
#include "lab/frost/cells.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace elastane::frost {
namespace {

// a grid that is set by hand: it reaches exactly what can be reached
ModelFile by_hand() {
  ModelConfig config = cells_config(Task::grid, 8);
  std::vector<Tensor> tensors = random_tensors(config, 1);
  for (Tensor& t : tensors) {
    const auto is = [&](const char* end) { return t.name.ends_with(end); };
    const auto fill = [&](auto value) {
      for (std::size_t i = 0; i < t.values.size(); ++i) t.values[i] = static_cast<float>(value(i));
    };
    if (is("input.weight")) fill([](std::size_t i) { return 6 * (i % 2); });     // the start
    if (is("gate.weight")) fill([](std::size_t i) { return 4 * (1 - i % 2); });  // free cells
    if (is("input.bias") || is("gate.bias")) fill([](std::size_t) { return -2; });
    if (is("read.0.bias") || is("read.1.bias")) fill([](std::size_t) { return 0; });
    if (is("mix.logits")) fill([](std::size_t i) { return i % 16 == 8 + i / 16 ? 9 : 0; });
    if (is("read.0.weight")) fill([](std::size_t i) { return i == 8 ? 1 : 0; });
    if (is("read.1.weight")) fill([](std::size_t i) { return i == 16 ? 1 : 0; });
    if (is("read.1.bias")) fill([](std::size_t i) { return i == 0 ? 0.01 : 0; });
  }
  return {.config = config, .tensors = tensors, .metadata = {}};
}

TEST(Cells, WeightsOfOneSizeRunOnAnyOther) {
  for (const int size : {8, 15}) {
    const benchmark::DepthRow row =
        test_cells(by_hand(), Task::grid, {.size = size, .episodes = 12, .check_depth = 300});
    EXPECT_EQ(row.solved, 1) << size;
    EXPECT_NEAR(row.accuracy_at_3t, 1, 1e-12);
    EXPECT_EQ(row.violations, 0);
    EXPECT_EQ(row.cases, 12 * size * size);
    EXPECT_NEAR(row.mean_depth, row.oracle_depth + 1, 1e-9);  // one more iteration shows that nothing moves
    EXPECT_GT(row.spearman, 0.999);
    EXPECT_GT(row.macs, 0);
  }
}

TEST(Cells, ADepthThatIsTooSmallLeavesCellsOut) {
  const Episode e = draw_episode(Task::grid, 15, 3);
  Stream shallow(resized(by_hand(), Task::grid, 15, 2));
  shallow.advance(e.features);
  const auto classes = classes_of(shallow.output());
  EXPECT_LT(std::count(classes.begin(), classes.end(), 1), std::count(e.labels.begin(), e.labels.end(), 1));
}

}  // namespace
}  // namespace elastane::frost
