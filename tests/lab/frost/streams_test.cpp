// Tests of lab/frost/streams.cpp: the machine, and what a warm start saves on it.
#include "lab/frost/streams.h"

#include <gtest/gtest.h>

#include <cmath>

namespace elastane::frost {
namespace {

TEST(Machine, IdlesAsOftenAsAskedAndStandsStillThen) {
  const auto steps = draw_machine(3000, 0.85, 2);
  double idle = 0, moved = 0;
  for (std::size_t t = 1; t < steps.size(); ++t) {
    if (steps[t].regime != Regime::idle || steps[t - 1].regime != Regime::idle) continue;
    idle += 1;
    moved += std::fabs(steps[t].x[0] - steps[t - 1].x[0]) > 0.01 ? 1 : 0;  // only where one rest follows another
  }
  EXPECT_GT(idle / 3000, 0.6);
  EXPECT_LT(moved / idle, 0.05);
}

TEST(Streams, AWarmStartSavesIterationsAndKeepsTheAnswer) {
  const auto rows = test_streams(1);
  const auto find = [&](const std::string& task, const std::string& method) {
    for (const benchmark::DepthRow& row : rows) {
      if (row.task == task && row.method == method) return row;
    }
    return benchmark::DepthRow{};
  };
  for (const std::string task : {"mixed", "machine"}) {
    const benchmark::DepthRow cold = find(task, "cold"), warm = find(task, "warm"), infinite = find(task, "infinite");
    EXPECT_LT(warm.mean_depth, 0.75 * cold.mean_depth);
    EXPECT_LT(warm.curve[0], 0.6 * cold.curve[0]);  // at rest
    EXPECT_NEAR(warm.accuracy, infinite.accuracy, 0.01 * infinite.accuracy);
    EXPECT_GT(warm.spearman, cold.spearman);
  }
  EXPECT_NE(streams_table(rows).find("| machine | warm |"), std::string::npos);
}

}  // namespace
}  // namespace elastane::frost
