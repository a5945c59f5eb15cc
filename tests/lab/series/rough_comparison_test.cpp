// lab/series/rough_comparison.cpp
#include "lab/series/rough_comparison.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace elastane::series {
namespace {

TEST(RoughComparison, ASpikeCostsLittleWithAGuardAndMuchWithout) {
  const RoughKind spike{Rough::spike, 30};
  RoughComparisonOptions options;
  options.families = {Family::load};
  options.kinds = {{Rough::none, 0}, spike};
  options.horizons = {1};
  options.seeds = 1;
  const auto results = compare_on_rough_streams(options);
  const auto error = [&](Rough kind, const char* method) {
    return std::ranges::find_if(results,
                                [&](const RoughResult& r) { return r.kind.kind == kind && r.method == method; })
        ->error[1];
  };
  EXPECT_LT(error(Rough::spike, "corrected"), 1.5 * error(Rough::none, "today"));
  EXPECT_GT(error(Rough::spike, "today"), 5 * error(Rough::none, "today"));
}

}  // namespace
}  // namespace elastane::series
