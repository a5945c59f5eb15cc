// lab/recall/roster.cpp: four ways to spend on attention, on the same prompts.
#include "lab/recall/roster.h"

#include <gtest/gtest.h>

#include "tests/core/elastic.h"
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

TEST(Roster, FollowsARouterAsAStreamDoes) {
  ModelConfig config{.inputs = kInputs, .outputs = kValues, .width = 16};
  const AttentionConfig attention{.heads = 2, .window = 256, .block = 16, .sink = 16, .local = 32};
  config.blocks = {{.kind = attention}, {.kind = attention}};
  const std::vector<Tensor> tensors = random_tensors(config, 4);
  const Model model = Model::create(config, tensors).value();
  const RouterWeights router = random_router(model, 3);
  const std::vector<RosterEntry> entries = roster(router);
  ASSERT_EQ(entries.back().name, "router");
  const Episode prompt = episode_of(1, 0);
  const std::vector<float> x = inputs_of(prompt);
  const Seen seen = GlassModel::create(config, tensors).value().look(x, entries.back().look);
  Stream stream(model, {.router = router});
  std::int64_t read = 0;
  for (int t = 0; t < prompt.length(); ++t) {
    const AdvanceReport report = stream.advance(std::span(x).subspan(static_cast<std::size_t>(t) * kInputs, kInputs));
    for (const BlockReport& block : report.blocks) read += block.blocks_read;
    for (int i = 0; i < kValues; ++i) {
      ASSERT_NEAR(stream.output()[static_cast<std::size_t>(i)], seen.y[static_cast<std::size_t>(t * kValues + i)],
                  1e-4);
    }
  }
  EXPECT_EQ(read, seen.blocks_read);
}

TEST(Roster, FindsNoRouterWhereThereIsNone) {
  EXPECT_FALSE(router_beside("/nowhere", "recall_small").value().present());
}

TEST(Roster, TakesTurnsWithTasksAndPositions) {
  EXPECT_EQ(episode_of(1, 0).task, Task::recall);
  EXPECT_EQ(episode_of(1, 1).task, Task::needle);
  EXPECT_EQ(episode_of(1, kTasks).position, Position::middle);
  EXPECT_EQ(episode_of(1, 3).length(), kShownLength);
}

}  // namespace
}  // namespace elastane::recall
