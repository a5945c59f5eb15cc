// lab/navigation/figure.cpp
#include <gtest/gtest.h>

#include "tests/lab/benchmark/page_checks.h"
#include "tests/lab/navigation/made_up_recording.h"

namespace elastane::navigation {
namespace {

TEST(NavigationFigure, DrawsAPanelPerAgent) {
  const std::string svg = made_up_navigation().figure();
  EXPECT_EQ(benchmark::count_of(svg, "<use href=\"#ground\"/>"), 3);
  EXPECT_EQ(benchmark::count_of(svg, "home in 92 steps"), 2);
  benchmark::expect_whole_svg(svg);
}

TEST(NavigationFigure, IsSmallAndNeedsNoOtherFile) {
  const std::string svg = made_up_navigation().figure();
  EXPECT_LT(svg.size(), 400'000U);
  benchmark::expect_self_contained(svg);
}

}  // namespace
}  // namespace elastane::navigation
