// lab/recall/study_select.cpp: lines of a study by kind.
#include "lab/recall/study_select.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/lab/recall/study_lines.h"

namespace elastane::recall {
namespace {

TEST(StudySelect, FindsTheNewestLinesOfAKind) {
  Study study = small_study();
  const Filter f{.part = "router", .backbone = kBackbones[0], .method = "examples"};
  EXPECT_EQ(lines_of(study, f).size(), 2U * kTasks * kPositions);
  EXPECT_EQ(accuracy(lines_of(study, f)), 1);
  study.lines.push_back(study_line("examples", 1, "recall", "front", 0, 1));  // measured again
  EXPECT_EQ(lines_of(study, f).size(), 2U * kTasks * kPositions);
  EXPECT_LT(accuracy(lines_of(study, f)), 1);
  EXPECT_TRUE(std::isnan(accuracy(lines_of(study, {.part = "text", .backbone = "", .method = ""}))));
}

TEST(StudySelect, TakesAsManyStaticHeadsAsTheRouterHasRoundedUp) {
  const Study study = small_study();
  const Filter router{.part = "router", .backbone = kBackbones[0], .method = "examples", .seed = 1};
  EXPECT_EQ(static_of(study, router).method, "static_1");  // one head of eight
  Filter more = router;
  more.method = "examples_stream";  // 0.8 heads
  EXPECT_EQ(static_of(study, more).method, "static_1");
  EXPECT_EQ(seeds_of(study, {.part = "router", .backbone = kBackbones[0], .method = "examples"}).size(), 2U);
  EXPECT_EQ(dense_lines(study, router).size(), 1U * kTasks * kPositions);
  EXPECT_EQ(over_seeds(study, {.part = "router", .backbone = kBackbones[0], .method = "examples"}, share).mean, 0.875);
}

}  // namespace
}  // namespace elastane::recall
