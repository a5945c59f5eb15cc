// lab/benchmark/results_json.h
#include "lab/benchmark/results_json.h"

#include <gtest/gtest.h>

#include <limits>

namespace elastane::benchmark {
namespace {

TEST(ResultsJson, WhatIsNotFiniteIsNull) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(number_json(nan).is_null());
  EXPECT_EQ(as_json(Interval{0, nan}).dump(), "[0.0,null]");
}

TEST(ResultsJson, OnlyPublishedFiguresAreThere) {
  EXPECT_EQ(as_json(Published{.success = 0.5, .p99_us = 3.0}).dump(), "{\"success\":0.5,\"p99_us\":3.0}");
}

TEST(ResultsJson, ARowHasTheFindingsOfItsAgent) {
  Row row;
  row.card.name = "exact";
  const std::vector<Finding> found = {{.claim = {.text = "better"}, .agent = "exact"},
                                      {.claim = {}, .agent = "sketch"}};
  const RowJson json = as_json(row, found);
  ASSERT_EQ(json["claims"].size(), 1U);
  EXPECT_EQ(json["claims"][0]["claim"], "better");
}

}  // namespace
}  // namespace elastane::benchmark
