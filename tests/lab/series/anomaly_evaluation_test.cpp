// lab/series/anomaly_evaluation.cpp
#include "lab/series/anomaly_evaluation.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace elastane::series {
namespace {

TEST(AnomalyEvaluation, FindsSpikesJumpsAndStuckSensorsOfALoad) {
  AnomalyEvaluationOptions options;
  options.families = {Family::load};
  options.first_seed = 1;
  options.seeds = 1;
  options.calm = 1'000;
  const std::vector<AnomalyCell> cells = totals(evaluate_anomalies(options));
  const auto recall = [&](Rough kind, double size) {
    return std::ranges::find_if(cells, [&](const AnomalyCell& c) { return c.kind.kind == kind && c.kind.size == size; })
        ->recall;
  };
  EXPECT_EQ(recall(Rough::spike, 10), 1);
  EXPECT_EQ(recall(Rough::jump, 3), 1);
  EXPECT_EQ(recall(Rough::stuck, 100), 1);
  EXPECT_LT(cells.front().false_alarms_per_1000, 5);
}

}  // namespace
}  // namespace elastane::series
