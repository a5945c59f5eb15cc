// Tests of lab/frost/episode.cpp: what is reachable, what is odd, and how deep an oracle would go.
#include "lab/frost/episode.h"

#include <gtest/gtest.h>

namespace elastane::frost {
namespace {

TEST(Episode, AGridMarksWhatItsStartReaches) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Episode e = draw_episode(Task::grid, 8, seed);
    ASSERT_EQ(e.cells(), 64);
    int starts = 0, reached = 0;
    for (int c = 0; c < 64; ++c) {
      const auto i = static_cast<std::size_t>(c);
      if (e.features[2 * i + 1] > 0) {
        ++starts;
        EXPECT_EQ(e.labels[i], 1);
      }
      reached += e.labels[i];
      if (e.features[2 * i] == 0) {
        EXPECT_EQ(e.labels[i], 0);
        continue;
      }
      // neighbours that are free share their answer
      for (const int to : {c % 8 > 0 ? c - 1 : -1, c >= 8 ? c - 8 : -1}) {
        if (to >= 0 && e.features[2 * static_cast<std::size_t>(to)] > 0) {
          EXPECT_EQ(e.labels[i], e.labels[static_cast<std::size_t>(to)]);
        }
      }
    }
    EXPECT_EQ(starts, 1);
    EXPECT_GE(reached, e.oracle_depth);
    EXPECT_GE(e.oracle_depth, 1);
  }
}

TEST(Episode, ParityIsThatOfThePrefix) {
  const Episode e = draw_episode(Task::parity, 20, 5);
  int odd = 0;
  for (std::size_t i = 0; i < 20; ++i) {
    odd ^= e.features[2 * i] > 0 ? 1 : 0;
    EXPECT_EQ(e.labels[i], odd);
    EXPECT_EQ(e.features[2 * i + 1], i == 0 ? 1 : 0);
  }
  EXPECT_EQ(e.oracle_depth, 20);
}

TEST(Episode, DependsOnItsSeedAlone) {
  EXPECT_EQ(draw_episode(Task::grid, 8, 3).features, draw_episode(Task::grid, 8, 3).features);
  EXPECT_NE(draw_episode(Task::grid, 8, 3).features, draw_episode(Task::grid, 8, 4).features);
  EXPECT_EQ(parse_task("parity"), Task::parity);
  EXPECT_THROW(parse_task("sudoku"), std::runtime_error);
}

}  // namespace
}  // namespace elastane::frost
