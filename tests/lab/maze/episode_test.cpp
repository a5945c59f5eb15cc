// lab/maze/episode.cpp: the reference length.
#include "lab/maze/episode.h"

#include <gtest/gtest.h>

#include "tests/lab/maze/drawn_grid.h"

namespace elastane::maze {
namespace {

TEST(Episode, ItsReferenceIsTheShortestPathBeforeTheChange) {
  Episode episode{.before = drawn({"...", ".#.", ".#."}), .after = drawn({"...", "...", "..."}), .doors = {}};
  episode.start = {0, 2}, episode.goal = {2, 2};
  measure_shortest(episode);
  EXPECT_EQ(episode.shortest, 6);
}

}  // namespace
}  // namespace elastane::maze
