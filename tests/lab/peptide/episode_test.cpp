// lab/peptide/episode.h
#include "lab/peptide/episode.h"

#include <gtest/gtest.h>

namespace elastane::peptide {
namespace {

TEST(Episode, ContactsAreRequestedOneAfterTheOther) {
  Episode episode;
  episode.first = {1, 6}, episode.second = {2, 9}, episode.appears = 8;
  EXPECT_FALSE(episode.contact_at(7).is_requested());
  EXPECT_EQ(episode.contact_at(8), episode.first);
  EXPECT_EQ(episode.contact_at(8 + kWindow), episode.second);
  EXPECT_EQ(episode.ends(), 8 + 2 * kWindow);
  episode.second = {};
  EXPECT_EQ(episode.ends(), 8 + kWindow);
}

TEST(Episode, TheSizeOfAChangeCountsResidues) {
  EXPECT_EQ(size_of_change({1, 6}, {2, 7}), 0);
  EXPECT_EQ(size_of_change({1, 6}, {1, 10}), 1);
  EXPECT_EQ(size_of_change({0, 4}, {5, 11}), 2);
}

}  // namespace
}  // namespace elastane::peptide
