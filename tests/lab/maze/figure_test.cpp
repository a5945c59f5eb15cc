// lab/maze/figure.cpp
#include <gtest/gtest.h>

#include "tests/lab/benchmark/page_checks.h"
#include "tests/lab/maze/made_up_recording.h"

namespace elastane::maze {
namespace {

TEST(MazeFigure, DrawsAPanelPerAgent) {
  const std::string svg = made_up_maze().figure();
  EXPECT_EQ(benchmark::count_of(svg, "arrived in 10 steps"), 2);
  benchmark::expect_whole_svg(svg);
}

TEST(MazeFigure, NeedsNoOtherFile) { benchmark::expect_self_contained(made_up_maze().figure()); }

}  // namespace
}  // namespace elastane::maze
