// lab/maze/scenario.cpp: start and goal on a map, and walls that change.
#include "lab/maze/scenario.h"

#include <gtest/gtest.h>

#include "elastane/core/base/random.h"
#include "lab/maze/map_file.h"
#include "tests/lab/maze/serpentine.h"

namespace elastane::maze {
namespace {

Grid drawn_by(std::uint64_t seed, int width, int height) {
  Random random(seed);
  Grid map(width, height, false);
  for (int i = 0; i < map.cells(); ++i) map.set_wall(map.cell(i), random.uniform() < 0.4);
  return map;
}

TEST(ChosenScenario, LeadsToTheFarthestCellThatCanBeReached) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Grid map = drawn_by(seed, 20, 13);
    const MapScenario far = choose_scenario(map).value();
    for (const Endpoints& endpoints :
         {Endpoints{.start = far.start, .goal = {}}, Endpoints{.start = {}, .goal = far.goal}}) {
      const MapScenario scenario = choose_scenario(map, endpoints).value();
      const std::vector<double> lengths =
          distances_to(map, endpoints.start ? scenario.start : scenario.goal, Moves::eight);
      const double shortest = make_episode(map, scenario)->shortest;
      for (const double length : lengths) EXPECT_TRUE(length == kUnreachable || length <= shortest + 1e-9);
    }
  }
}

TEST(ChosenScenario, JoinsTheFarthestCellsOfACorridor) {
  const MapScenario scenario = choose_scenario(serpentine(9)).value();
  EXPECT_EQ(scenario.start, (Cell{8, 8}));
  EXPECT_EQ(scenario.goal, (Cell{0, 0}));
}

TEST(ChosenScenario, IsNeverLongerThanAPageShows) {
  const Grid map = serpentine(63);
  const double shortest = make_episode(map, choose_scenario(map).value())->shortest;
  EXPECT_LE(shortest, kLongestShownPath);
  EXPECT_GT(shortest, kLongestShownPath - 2);
}

TEST(ChosenScenario, LiesInTheLargestPart) {
  const Grid map = parse_map("width 8\nheight 1\nmap\n..@....@\n").value();
  const MapScenario scenario = choose_scenario(map).value();
  EXPECT_EQ(make_episode(map, scenario)->shortest, 3);
}

TEST(Map, KeepsAPathFromEverywhereWhenWallsChange) {
  const Grid map(12, 12, false);
  const MapScenario scenario{.width = 12, .height = 12, .start = {0, 0}, .goal = {11, 11}};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Episode episode = with_change(make_episode(map, scenario).value(), {.closed = 6}, seed);
    const std::vector<double> lengths = distances_to(episode.after, episode.goal, episode.moves);
    for (int i = 0; i < map.cells(); ++i) {
      EXPECT_TRUE(episode.after.is_wall(i) || lengths[static_cast<std::size_t>(i)] < kUnreachable);
    }
    EXPECT_NE(episode.before, episode.after);
    EXPECT_EQ(episode.plan, episode.before);
  }
}

TEST(Scenario, SaysWhatIsWrong) {
  const Grid map = parse_map("width 4\nheight 3\nmap\n....\n.@T.\nG.SO\n").value();
  const auto expect = [&](const MapScenario& scenario, const std::string& why) {
    const auto episode = make_episode(map, scenario);
    ASSERT_FALSE(episode);
    EXPECT_NE(episode.error().find(why), std::string::npos) << episode.error();
  };
  expect({.width = 4, .height = 3, .start = {1, 1}}, "start at cell (1, 1): expected a free cell, found a wall");
  expect({.width = 4, .height = 3, .goal = {4, 0}}, "goal at cell (4, 0): expected a free cell, found the outside");
  expect({.width = 5, .height = 3}, "expected 5 x 3, found 4 x 3");
  const Grid split = parse_map("width 3\nheight 1\nmap\n.@.\n").value();
  const auto episode = make_episode(split, {.width = 3, .height = 1, .start = {0, 0}, .goal = {2, 0}});
  ASSERT_FALSE(episode);
  EXPECT_NE(episode.error().find("path from cell (0, 0) to cell (2, 0): expected one, found none"), std::string::npos);
}

TEST(ChosenScenario, SaysWhatIsWrong) {
  const auto expect = [](const Grid& map, const Endpoints& endpoints, const std::string& why) {
    const auto scenario = choose_scenario(map, endpoints);
    ASSERT_FALSE(scenario) << why;
    EXPECT_NE(scenario.error().find(why), std::string::npos) << scenario.error();
  };
  expect(Grid(257, 2, false), {}, "map: expected at most 256 x 256 cells, found 257 x 2");
  expect(Grid(3, 3, true), {}, "map: expected a free cell, found none");
  expect(Grid(1, 1, false), {}, "goal at cell (0, 0): expected another cell than the start");
  expect(serpentine(9), {.start = {}, .goal = Cell{0, 1}}, "goal at cell (0, 1): expected a free cell, found a wall");
  expect(serpentine(9), {.start = Cell{0, 9}, .goal = {}}, "start at cell (0, 9): expected a free cell");
  expect(serpentine(63), {.start = Cell{0, 0}, .goal = Cell{0, 62}}, "expected a length of at most 1024, found 2046");
}

}  // namespace
}  // namespace elastane::maze
