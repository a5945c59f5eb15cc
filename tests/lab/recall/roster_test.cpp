// lab/recall/roster.cpp: four ways to spend on attention, on the same prompts.
#include "lab/recall/roster.h"

#include <gtest/gtest.h>

#include "tests/lab/recall/glass_models.h"

namespace elastane::recall {
namespace {

TEST(Roster, ReadsLessThanDenseAndTheSameForEqualBudgets) {
  const GlassModel model = random_glass();
  const Episode prompt = episode_of(1, 0);
  std::vector<double> shares;
  for (const RosterEntry& entry : roster()) shares.push_back(attempt(model, entry, prompt).share);
  EXPECT_EQ(shares[0], 1);
  EXPECT_LT(shares[1], shares[2]);
  EXPECT_EQ(shares[2], shares[3]) << "a larger window and chosen blocks cost the same";
  EXPECT_LT(shares[3], 1);
}

TEST(Roster, TakesTurnsWithTasksAndPositions) {
  EXPECT_EQ(episode_of(1, 0).task, Task::recall);
  EXPECT_EQ(episode_of(1, 1).task, Task::needle);
  EXPECT_EQ(episode_of(1, kTasks).position, Position::middle);
  EXPECT_EQ(episode_of(1, 3).length(), kShownLength);
}

}  // namespace
}  // namespace elastane::recall
