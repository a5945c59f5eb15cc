// lab/series/anomaly_score.cpp
#include "lab/series/anomaly_score.h"

#include <gtest/gtest.h>

#include <cmath>

namespace elastane::series {
namespace {

std::vector<bool> rows_at(std::size_t rows, std::initializer_list<std::size_t> at) {
  std::vector<bool> all(rows, false);
  for (const std::size_t r : at) all[r] = true;
  return all;
}

TEST(AnomalyScore, CountsRowsSegmentsAndDelays) {
  const auto labels = rows_at(1000, {100, 101, 102, 103, 500});
  const AnomalyScore score = score_anomalies(rows_at(1000, {102, 700, 710}), labels);
  EXPECT_EQ(score.segments, 2U);
  EXPECT_EQ(score.found, 1U);
  EXPECT_EQ(score.median_delay, 2);
  EXPECT_NEAR(score.precision, 1.0 / 3, 1e-12);
  EXPECT_NEAR(score.recall, 1.0 / 5, 1e-12);
  EXPECT_NEAR(score.adjusted_recall, 4.0 / 5, 1e-12);
  EXPECT_NEAR(score.adjusted_precision, 4.0 / 6, 1e-12);
  EXPECT_NEAR(score.false_alarms_per_1000, 1000.0 / 995, 1e-9) << "two alarms within 24 rows are one";
}

TEST(AnomalyScore, AlarmsSoonAfterASegmentCountIfAsked) {
  const auto labels = rows_at(100, {50});
  EXPECT_EQ(score_anomalies(rows_at(100, {53}), labels).found, 0U);
  EXPECT_EQ(score_anomalies(rows_at(100, {53}), labels, 5).found, 1U);
}

TEST(AnomalyScore, NabIsZeroForSilenceAndHundredForTheFirstRowsOfAllWindows) {
  const auto labels = rows_at(1000, {200, 600});
  EXPECT_NEAR(score_anomalies(rows_at(1000, {}), labels).nab, 0, 1e-9);
  EXPECT_NEAR(score_anomalies(rows_at(1000, {176, 576}), labels).nab, 100, 2);
  EXPECT_LT(score_anomalies(rows_at(1000, {200, 600}), labels).nab, 100);
  EXPECT_LT(score_anomalies(rows_at(1000, {0, 20, 900}), labels).nab, 0) << "false alarms cost";
}

}  // namespace
}  // namespace elastane::series
