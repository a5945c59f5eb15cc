// lab/maze/validation.cpp: scores on validation mazes.
#include "lab/maze/validation.h"

#include <gtest/gtest.h>

#include "lab/maze/oracle_agents.h"

namespace elastane::maze {
namespace {

TEST(Validation, TheReplannerIsNearTheCeilingAndScoresTheSameTwice) {
  ReplannerAgent expert;
  const ValidationScore score = validation_score(expert, {.mazes = 128}),
                        again = validation_score(expert, {.mazes = 128});
  EXPECT_GT(score.within_3, 0.9);
  EXPECT_LE(score.within_2, score.within_3);
  EXPECT_LE(score.within_3, score.within_4);
  EXPECT_EQ(score.within_3, again.within_3);
  EXPECT_EQ(score.idle, 1);
}

}  // namespace
}  // namespace elastane::maze
