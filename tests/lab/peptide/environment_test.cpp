// lab/peptide/environment.h
#include "lab/peptide/environment.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lab/peptide/draw_episode.h"

namespace elastane::peptide {
namespace {

TEST(Environment, NoTorsionMovesFurtherThanTheLimitAndWhatIsNotFiniteNotAtAll) {
  const Episode episode = draw_episode(7, 0).episode;
  const Energy energy{Chain(episode.sequence)};
  Environment environment(episode, energy);
  std::array<float, kMaxTorsions> y;
  y.fill(1e9F);
  y[1] = NAN;
  y[2] = -1e9F;
  y[3] = 0.5e9F;
  environment.move(y);
  EXPECT_NEAR(wrapped(environment.torsions()[0] - episode.start[0]), MoveOptions{}.limit, 1e-12);
  EXPECT_EQ(environment.torsions()[1], episode.start[1]);
  EXPECT_NEAR(wrapped(environment.torsions()[2] - episode.start[2]), -MoveOptions{}.limit, 1e-12);
  EXPECT_NEAR(wrapped(environment.torsions()[3] - episode.start[3]), 0.5 * MoveOptions{}.limit, 1e-9) << "as a whole";
}

TEST(Environment, AContactThatIsNeverMetCountsInFull) {
  Episode episode = draw_episode(8, 0).episode;
  const Energy energy{Chain(episode.sequence)};
  Environment environment(episode, energy);
  const std::array<float, kMaxTorsions> still = {};
  while (!environment.is_over()) environment.move(still);
  const benchmark::Outcome outcome = environment.outcome();
  EXPECT_FALSE(outcome.success);
  EXPECT_EQ(outcome.steps, kLimit);
}

TEST(Environment, EqualStepsAreObservedWithEqualNoise) {
  const Episode episode = draw_episode(9, 0).episode;
  const Energy energy{Chain(episode.sequence)};
  const Environment environment(episode, energy);
  const Torsions observed = environment.observed();
  EXPECT_EQ(observed, environment.observed());
  EXPECT_NE(observed, environment.torsions());
  EXPECT_NEAR(observed[0], environment.torsions()[0], 6 * kNoise);
}

}  // namespace
}  // namespace elastane::peptide
