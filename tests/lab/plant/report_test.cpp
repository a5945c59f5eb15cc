// lab/plant/report.cpp: rows of the tables.
#include "lab/plant/report.h"

#include <gtest/gtest.h>

namespace elastane::plant {
namespace {

TEST(Report, PrintsMeansAndTheWorstRunAndKeepsEveryRun) {
  Report report;
  const Outcome one{
      .transfer_frozen = {0.5, 0.25}, .transfer = {1, 1}, .eval_frozen = {0, 0}, .eval = {0.5, 1}, .micros = 3};
  Outcome other = one;
  other.eval = {1, 0.5};
  testing::internal::CaptureStdout();
  report.row("circuit", "a change", {one, other}, ".93 → .97");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), report.text());
  EXPECT_EQ(
      report.text(),
      "| a change | 2 | 0.500, 0.250 | 1.000, 1.000 | 0.000, 0.000 | 0.750, 0.750 | 0.500, 0.500 | .93 → .97 | 3 |\n");
  ASSERT_EQ(report.rows.size(), 2u);
  EXPECT_EQ(report.rows[1].at("table"), "circuit");
}

}  // namespace
}  // namespace elastane::plant
