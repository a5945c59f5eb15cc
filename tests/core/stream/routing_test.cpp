// Tests of elastane/core/stream/routing.h and .cpp: routers in streams and fleets. Law E10: modes are part of the state.
#include "elastane/core/stream/routing.h"

#include <gtest/gtest.h>

#include "elastane/core/stream/fleet.h"
#include "tests/core/elastic.h"

namespace elastane {
namespace {

struct Routed : testing::Test {
  Model model = model_of(elastic_config());
  RouterWeights router = random_router(model, 2);
  static constexpr int kSteps = 260;
};

TEST_F(Routed, DecidesAtTheSamePositionsInStepsChunksAndFleets) {
  Stream steps(model, {.router = router});
  Fleet fleet(model, 3, {.router = router});
  int changes = 0;
  std::vector<HeadMode> before(6, HeadMode::full);
  for (int t = 0; t < kSteps; ++t) {
    steps.advance(Input{3}(t));
    std::vector<float> rows = Input{3}(t + 50);
    for (const int start : {0, 900}) {
      const std::vector<float> row = Input{3}(t + start);
      rows.insert(rows.end(), row.begin(), row.end());
    }
    fleet.advance(rows);
    for (int i = 0; i < 6; ++i) {
      const HeadMode mode = steps.head_mode(i / 3 * 2, i % 3);
      if (mode == before[static_cast<std::size_t>(i)]) continue;
      EXPECT_EQ(t % 16, 0) << "modes change at the first step of a block only";
      before[static_cast<std::size_t>(i)] = mode;
      ++changes;
    }
  }
  EXPECT_GT(changes, 0);
  EXPECT_TRUE(same_bits(fleet.output(1), steps.output()));
  for (const int piece : {1, 16, 33, kSteps}) {
    Stream chunks(model, {.router = router});
    for (int t = 0; t < kSteps; t += piece) chunks.advance_chunk(rows_of(t, std::min(piece, kSteps - t)));
    EXPECT_TRUE(same_state(chunks, steps)) << piece;
    EXPECT_TRUE(same_bits(chunks.output(), steps.output())) << piece;
  }
}

TEST_F(Routed, LaterRoutersSeeWhatTheFirstOneFound) {
  // the first router's code changes, its decisions do not: those of the second do
  RouterWeights other = router;
  for (double& w : other.layers[0].task.score_weight) w *= -16;
  for (double& b : other.layers[0].task.score_bias) b *= -16;
  for (double& w : other.layers[0].route.hidden_weight) w /= -16;
  Stream one(model, {.router = router}), two(model, {.router = other});
  int apart = 0;
  for (int t = 0; t < kSteps; ++t) {
    one.advance(Input{3}(t)), two.advance(Input{3}(t));
    for (int head = 0; head < 3; ++head) {
      ASSERT_EQ(one.head_mode(0, head), two.head_mode(0, head)) << t;
      apart += one.head_mode(2, head) != two.head_mode(2, head) ? 1 : 0;
    }
  }
  EXPECT_GT(apart, 0);
}

TEST_F(Routed, ModesSurviveSnapshotRewindAndFork) {
  Stream stream(model, {.history = 100, .router = router});
  for (int t = 0; t < kSteps; ++t) stream.advance(Input{3}(t));
  const std::vector<std::byte> snapshot = snapshot_of(stream);
  Stream fork = stream, restored(model, {.router = router});
  ASSERT_TRUE(restored.restore(snapshot));
  Fleet fleet(model, 1, {.router = router});
  ASSERT_TRUE(fleet.restore(0, snapshot));
  for (int t = kSteps; t < kSteps + 60; ++t) {
    for (Stream* s : {&stream, &fork, &restored}) s->advance(Input{3}(t));
    fleet.advance(Input{3}(t));
  }
  EXPECT_TRUE(same_state(fork, stream));
  EXPECT_TRUE(same_state(restored, stream));
  EXPECT_TRUE(same_bits(fleet.output(0), stream.output()));
  ASSERT_TRUE(stream.rewind(60));
  for (int t = kSteps; t < kSteps + 60; ++t) stream.advance(Input{3}(t));
  EXPECT_TRUE(same_state(stream, fork));
}

TEST_F(Routed, ASnapshotIsRefusedByAStreamWithAnotherRouter) {
  Stream stream(model, {.router = router}), other(model, {.router = random_router(model, 9)}), none(model);
  stream.advance(Input{3}(0));
  EXPECT_FALSE(other.restore(snapshot_of(stream)));
  EXPECT_FALSE(none.restore(snapshot_of(stream)));
}

TEST_F(Routed, AStreamWithoutARouterKeepsTheModesOfItsModel) {
  const std::vector<HeadMode> modes = {HeadMode::stream, HeadMode::full, HeadMode::stream};
  Stream stream(model_of(elastic_config(modes)));
  for (int t = 0; t < 100; ++t) stream.advance(Input{3}(t));
  for (int head = 0; head < 3; ++head) EXPECT_EQ(stream.head_mode(2, head), modes[static_cast<std::size_t>(head)]);
  EXPECT_EQ(stream.head_mode(1, 0), HeadMode::full) << "a mamba has no heads";
  EXPECT_EQ(stream.head_mode(7, 0), HeadMode::full);
}

TEST_F(Routed, ACorrectorFollowsTheModes) {
  const std::vector<HeadMode> modes = {HeadMode::stream, HeadMode::full, HeadMode::stream};
  const Model sparse = model_of(elastic_config(modes));
  Stream stream(sparse, {.corrector = CorrectorOptions{}});
  for (int t = 0; t < 150; ++t) stream.advance(Input{3}(t));
  const std::vector<float> before = copy(stream.output());
  // the corrector decodes the same output from the state, so a label that is met already changes nothing
  const StepReport report = stream.observe(before);
  EXPECT_NEAR(report.loss_before, 0, 1e-8);
  EXPECT_FALSE(Stream::create(model_of(elastic_config({HeadMode::blocks, HeadMode::full, HeadMode::full})),
                              {.corrector = CorrectorOptions{}}));
}

}  // namespace
}  // namespace elastane
