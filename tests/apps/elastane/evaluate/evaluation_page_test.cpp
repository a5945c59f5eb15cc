// apps/elastane/evaluate/evaluation_page.cpp
#include "apps/elastane/evaluate/evaluation_page.h"

#include <gtest/gtest.h>

namespace elastane::app {
namespace {

TEST(EvaluationPage, ShowsErrorsByStepAndOverTime) {
  series::MethodResult result{"corrected", "kalman", {}};
  result.score.mse = 0.125;
  result.score.mse_by_step = {0.1, 0.15};
  result.score.mse_by_window = {0.12, 0.13, 0.11};
  const std::string html = evaluation_page({{"load", 2, {result}}});
  for (const char* text :
       {"corrected, kalman", "0.125", "Error by step of the horizon", "Error over time", "load, 2 rows ahead"})
    EXPECT_NE(html.find(text), std::string::npos) << text;
  EXPECT_EQ(evaluation_page({{"load", 1, {}}}).find("Error by step"), std::string::npos);
}

}  // namespace
}  // namespace elastane::app
