// lab/protein_loop/episode.h
#include "lab/protein_loop/episode.h"

#include <gtest/gtest.h>

namespace elastane::protein_loop {
namespace {

TEST(LoopEpisode, EqualSeedsDrawTheSameAndOthersDoNot) {
  const Episode a = draw_episode(1, 2), b = draw_episode(1, 2), c = draw_episode(1, 3);
  ASSERT_EQ(a.native.size(), b.native.size());
  EXPECT_EQ(a.loop.first, b.loop.first);
  EXPECT_EQ(a.bent.phi(a.loop.first), b.bent.phi(b.loop.first));
  EXPECT_NE(a.native.phi(20), c.native.phi(20));
}

TEST(LoopEpisode, OnlyTheLoopIsElsewhereAndTheChainIsBrokenBehindIt) {
  const Episode episode = draw_episode(4, 0);
  for (int i = 0; i < episode.native.size(); ++i) {
    if (episode.loop.has(i)) continue;
    EXPECT_LT(length(episode.native.protein().residue(i).at.ca - episode.bent.protein().residue(i).at.ca), 1e-12);
  }
  for (int i = 0; i + 1 < episode.bent.size(); ++i) {
    if (i == episode.loop.last()) continue;
    EXPECT_LT(episode.bent.gap(i), 1e-6) << i;
  }
  EXPECT_GT(episode.bent.gap(episode.loop.last()), 0.5);
}

TEST(LoopEpisode, EveryResidueOfTheLoopIsTheMiddleOfAWindow) {
  const Episode episode = draw_episode(5, 1);
  int inside = 0;
  for (int step = 0; step < episode.windows(); ++step) inside += episode.distance(episode.residue(step)) == 0 ? 1 : 0;
  EXPECT_EQ(inside, episode.loop.residues);
  EXPECT_EQ(episode.distance(episode.loop.last() + 3), 3);
}

}  // namespace
}  // namespace elastane::protein_loop
