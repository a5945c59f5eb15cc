// lab/peptide/environment.h, draw.h, expert.h
#include "lab/peptide/environment.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lab/peptide/draw_episode.h"
#include "tests/lab/peptide/conformations.h"

namespace elastane::peptide {
namespace {

TEST(Trial, EqualSeedsDrawEqualEpisodesInAnyOrder) {
  const DrawnEpisode later = draw_episode(3, 5), again = (draw_episode(3, 1), draw_episode(3, 5));
  EXPECT_EQ(later.episode.sequence.text(), again.episode.sequence.text());
  EXPECT_EQ(later.episode.start, again.episode.start);
  EXPECT_EQ(later.episode.second, again.episode.second);
  EXPECT_EQ(later.best_cost, again.best_cost);
  EXPECT_NE(later.episode.start, draw_episode(4, 5).episode.start);
}

TEST(Trial, StartsAreAllowedAndWithoutAClash) {
  for (int n = 0; n < 6; ++n) {
    const Episode episode = draw_episode(5, n).episode;
    const Energy energy{Chain(episode.sequence)};
    Conformation there;
    energy.chain().place(episode.start, there);
    EXPECT_EQ(energy.clashes(there), 0);
    EXPECT_EQ(energy.disallowed(there), 0);
    EXPECT_TRUE(validate(episode.first, energy.chain()));
    EXPECT_TRUE(validate(episode.second, energy.chain()));
  }
}

TEST(Trial, TheExpertMeetsWhatIsDrawn) {
  for (int n = 0; n < 4; ++n) {
    const DrawnEpisode drawn = draw_episode(6, n);
    const Energy energy{Chain(drawn.episode.sequence)};
    Environment trial(drawn.episode, energy);
    ExpertPolicy walk(energy, drawn.episode.noise);
    while (!trial.is_over()) trial.move(walk.next(trial));
    EXPECT_TRUE(trial.outcome().success);
    EXPECT_EQ(trial.cost(), drawn.best_cost);
    EXPECT_LT(trial.outcome().steps, kLimit);
  }
}

TEST(Trial, NoTorsionMovesFurtherThanTheLimitAndWhatIsNoNumberNotAtAll) {
  const Episode episode = draw_episode(7, 0).episode;
  const Energy energy{Chain(episode.sequence)};
  Environment trial(episode, energy);
  std::array<float, kMaxTorsions> y;
  y.fill(1e9F);
  y[1] = NAN;
  y[2] = -1e9F;
  y[3] = 0.5e9F;
  trial.move(y);
  EXPECT_NEAR(wrapped(trial.torsions()[0] - episode.start[0]), MoveOptions{}.limit, 1e-12);
  EXPECT_EQ(trial.torsions()[1], episode.start[1]);
  EXPECT_NEAR(wrapped(trial.torsions()[2] - episode.start[2]), -MoveOptions{}.limit, 1e-12);
  EXPECT_NEAR(wrapped(trial.torsions()[3] - episode.start[3]), 0.5 * MoveOptions{}.limit, 1e-9) << "as a whole";
}

TEST(Trial, AContactThatIsNeverMetCountsInFull) {
  Episode episode = draw_episode(8, 0).episode;
  const Energy energy{Chain(episode.sequence)};
  Environment trial(episode, energy);
  const std::array<float, kMaxTorsions> still = {};
  while (!trial.is_over()) trial.move(still);
  const benchmark::Outcome outcome = trial.outcome();
  EXPECT_FALSE(outcome.success);
  EXPECT_EQ(outcome.steps, kLimit);
}

// the ends of a chain stretched out, in three steps
TEST(Trial, AContactThatCannotBeMetIsAnHonestFailure) {
  const Energy energy{chain_of("AAAAAAAAAAAA")};
  Torsions stretched = {};
  for (std::size_t t = 0; t < stretched.size(); ++t) stretched[t] = t % 2 == 0 ? 2.4 : -2.1;
  Random random(1);
  Expert expert(energy);
  const Plan way = expert.plan(stretched, {0, 11}, 3, random);
  EXPECT_EQ(way.met, -1);
  EXPECT_EQ(way.moves.size(), 3U);
}

}  // namespace
}  // namespace elastane::peptide
