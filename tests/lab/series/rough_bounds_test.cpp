// lab/series/rough_bounds.cpp
#include "lab/series/rough_bounds.h"

#include <gtest/gtest.h>

namespace elastane::series {
namespace {

RoughResult result(RoughKind kind, std::uint64_t seed, const char* method, double error) {
  RoughResult r;
  r.kind = kind;
  r.seed = seed;
  r.method = method;
  r.error.fill(error);
  r.from_24 = error;
  r.best_simple_from_24 = 1;
  return r;
}

TEST(RoughBounds, CountsTheStreamsThatKeepABound) {
  const RoughKind none{Rough::none, 0}, jump{Rough::jump, 10};
  std::vector<RoughResult> results;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    results.push_back(result(none, seed, "today", 2));
    results.push_back(result(jump, seed, "corrected", seed == 4 ? 3 : 2.1));
    results.push_back(result(jump, seed, "today", 9));
  }
  const Ratios ratios = RoughRatios(results).of(jump, 1, "corrected");
  EXPECT_EQ(ratios.within(2, 1.1), 75);
  EXPECT_EQ(ratios.worst(3), 1.5);
  EXPECT_EQ(ratios.near_simple, 0);
  EXPECT_NE(rough_bounds(results).find("| jump of 10 deviations, rows 24-200, within 10 % | 80 % | 75.0 % | 0.0 % |"),
            std::string::npos)
      << rough_bounds(results);
}

}  // namespace
}  // namespace elastane::series
