// lab/peptide/figure.cpp
#include <gtest/gtest.h>

#include "tests/lab/benchmark/page_checks.h"
#include "tests/lab/peptide/made_up_recording.h"

namespace elastane::peptide {
namespace {

TEST(PeptideFigure, DrawsAPanelPerAgent) {
  const std::string svg = made_up_peptide().figure();
  EXPECT_EQ(benchmark::count_of(svg, ">start: "), 3);
  benchmark::expect_whole_svg(svg);
}

TEST(PeptideFigure, IsSmallAndNeedsNoOtherFile) {
  const std::string svg = made_up_peptide().figure();
  EXPECT_LT(svg.size(), 400'000U);
  benchmark::expect_self_contained(svg);
}

}  // namespace
}  // namespace elastane::peptide
