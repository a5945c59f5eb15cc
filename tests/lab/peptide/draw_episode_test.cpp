// lab/peptide/draw_episode.h
#include "lab/peptide/draw_episode.h"

#include <gtest/gtest.h>

namespace elastane::peptide {
namespace {

TEST(DrawEpisode, EqualSeedsDrawEqualEpisodesInAnyOrder) {
  const DrawnEpisode later = draw_episode(3, 5), again = (draw_episode(3, 1), draw_episode(3, 5));
  EXPECT_EQ(later.episode.sequence.text(), again.episode.sequence.text());
  EXPECT_EQ(later.episode.start, again.episode.start);
  EXPECT_EQ(later.episode.second, again.episode.second);
  EXPECT_EQ(later.best_cost, again.best_cost);
  EXPECT_NE(later.episode.start, draw_episode(4, 5).episode.start);
}

TEST(DrawEpisode, StartsAreAllowedAndWithoutAClash) {
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

TEST(DrawEpisode, ARequestedSequenceAndContactAreKept) {
  const EpisodeRequest request{.sequence = parse_sequence("ACDEFGHIKL").value(), .contact = Contact{1, 7}};
  const Episode episode = draw_episode(3, 1, request).episode;
  EXPECT_EQ(episode.sequence.text(), "ACDEFGHIKL");
  EXPECT_EQ(episode.first, (Contact{1, 7}));
  EXPECT_FALSE(episode.second.is_requested());
}

}  // namespace
}  // namespace elastane::peptide
