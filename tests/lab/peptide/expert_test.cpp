// lab/peptide/expert.h
#include "lab/peptide/expert.h"

#include <gtest/gtest.h>

#include "lab/peptide/draw_episode.h"
#include "tests/lab/peptide/conformations.h"

namespace elastane::peptide {
namespace {

TEST(Expert, MeetsTheContactsThatAreDrawn) {
  for (int n = 0; n < 4; ++n) {
    const DrawnEpisode drawn = draw_episode(6, n);
    const Energy energy{Chain(drawn.episode.sequence)};
    Environment environment(drawn.episode, energy);
    ExpertPolicy expert(energy, drawn.episode.noise);
    while (!environment.is_over()) environment.move(expert.next(environment));
    EXPECT_TRUE(environment.outcome().success);
    EXPECT_EQ(environment.cost(), drawn.best_cost);
    EXPECT_LT(environment.outcome().steps, kLimit);
  }
}

// the ends of a chain stretched out, in three steps
TEST(Expert, AContactThatCannotBeMetIsAnHonestFailure) {
  const Energy energy{chain_of("AAAAAAAAAAAA")};
  Torsions stretched = {};
  for (std::size_t t = 0; t < stretched.size(); ++t) stretched[t] = t % 2 == 0 ? 2.4 : -2.1;
  Random random(1);
  Expert expert(energy);
  const Plan plan = expert.plan(stretched, {0, 11}, 3, random);
  EXPECT_EQ(plan.met, -1);
  EXPECT_EQ(plan.moves.size(), 3U);
}

}  // namespace
}  // namespace elastane::peptide
