// lab/maze/map_errand.h: from where to where over a map, and what changes on the way.
#include "lab/maze/map_errand.h"

#include <gtest/gtest.h>

#include "elastane/core/base/random.h"
#include "lab/maze/map_file.h"
#include "lab/maze/recording.h"
#include "tests/lab/maze/serpentine.h"
#include "tests/paths.h"

namespace elastane::maze {
namespace {

Grid drawn_by(std::uint64_t seed, int width, int height) {
  Random random(seed);
  Grid map(width, height, false);
  for (int i = 0; i < map.cells(); ++i) map.set_wall(map.cell(i), random.uniform() < 0.4);
  return map;
}

TEST(ChosenErrand, LeadsAsFarFromAGivenEndAsThereIsAWay) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Grid map = drawn_by(seed, 20, 13);
    const MapErrand far = choose_errand(map).value();
    for (const MapEnds& ends : {MapEnds{.start = far.start, .goal = {}}, MapEnds{.start = {}, .goal = far.goal}}) {
      const MapErrand errand = choose_errand(map, ends).value();
      const std::vector<double> lengths = lengths_to(map, ends.start ? errand.start : errand.goal, Moves::eight);
      const double shortest = make_task(map, errand)->shortest;
      for (const double length : lengths) EXPECT_TRUE(length == kNoWay || length <= shortest + 1e-9);
    }
  }
}

TEST(ChosenErrand, JoinsTheFarthestCellsOfACorridor) {
  const MapErrand errand = choose_errand(serpentine(9)).value();
  EXPECT_EQ(errand.start, (Cell{8, 8}));
  EXPECT_EQ(errand.goal, (Cell{0, 0}));
}

TEST(ChosenErrand, IsNeverLongerThanAPageShows) {
  const Grid map = serpentine(63);
  const double shortest = make_task(map, choose_errand(map).value())->shortest;
  EXPECT_LE(shortest, kMostShownWay);
  EXPECT_GT(shortest, kMostShownWay - 2);
}

TEST(ChosenErrand, LiesInTheLargestPart) {
  const Grid map = parse_map("width 8\nheight 1\nmap\n..@....@\n").value();
  const MapErrand errand = choose_errand(map).value();
  EXPECT_EQ(make_task(map, errand)->shortest, 3);
}

TEST(Map, KeepsAWayFromEverywhereWhenWallsChange) {
  const Grid map(12, 12, false);
  const MapErrand errand{.width = 12, .height = 12, .start = {0, 0}, .goal = {11, 11}};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Task task = with_change(make_task(map, errand).value(), {.closed = 6}, seed);
    const std::vector<double> lengths = lengths_to(task.after, task.goal, task.moves);
    for (int i = 0; i < map.cells(); ++i) {
      EXPECT_TRUE(task.after.is_wall(i) || lengths[static_cast<std::size_t>(i)] < kNoWay);
    }
    EXPECT_NE(task.before, task.after);
    EXPECT_EQ(task.plan, task.before);
  }
}

TEST(MapRecording, IsWholeAndTheSameAgainAndStillWhereNothingMayChange) {
  const Grid map = drawn_by(3, 16, 12);
  const Minds minds = load_minds(std::string(ELASTANE_MODELS) + "/maze.safetensors").value();
  const auto recorded = [&](bool still, int episode) {
    const MazeBenchmark benchmark({.minds = minds},
                                  map_course("map", map, {choose_errand(map).value()}, {.still = still}));
    return record(benchmark, {.episode = episode, .agents = {}}).value();
  };
  const auto one = recorded(false, 0), still = recorded(true, 0);
  EXPECT_TRUE(one.validate()) << one.validate().error();
  EXPECT_EQ(one.json(), recorded(false, 0).json());
  EXPECT_NE(one.json(), recorded(false, 1).json());
  EXPECT_FALSE(one.doors.empty());
  EXPECT_TRUE(still.doors.empty());
  EXPECT_EQ(still.change_at, -1);
  ASSERT_EQ(still.agents.size(), 3U);
  EXPECT_EQ(still.agents.back().caption.name, "replanner");
  EXPECT_TRUE(still.agents.back().caption.success);
}

TEST(Errand, SaysWhatIsWrong) {
  const Grid map = parse_map("width 4\nheight 3\nmap\n....\n.@T.\nG.SO\n").value();
  const auto expect = [&](const MapErrand& errand, const std::string& why) {
    const auto task = make_task(map, errand);
    ASSERT_FALSE(task);
    EXPECT_NE(task.error().find(why), std::string::npos) << task.error();
  };
  expect({.width = 4, .height = 3, .start = {1, 1}}, "start at cell (1, 1): expected a free cell, found a wall");
  expect({.width = 4, .height = 3, .goal = {4, 0}}, "goal at cell (4, 0): expected a free cell, found the outside");
  expect({.width = 5, .height = 3}, "expected 5 x 3, found 4 x 3");
  const Grid split = parse_map("width 3\nheight 1\nmap\n.@.\n").value();
  const auto task = make_task(split, {.width = 3, .height = 1, .start = {0, 0}, .goal = {2, 0}});
  ASSERT_FALSE(task);
  EXPECT_NE(task.error().find("way from cell (0, 0) to cell (2, 0): expected one, found none"), std::string::npos);
}

TEST(ChosenErrand, SaysWhatIsWrong) {
  const auto expect = [](const Grid& map, const MapEnds& ends, const std::string& why) {
    const auto errand = choose_errand(map, ends);
    ASSERT_FALSE(errand) << why;
    EXPECT_NE(errand.error().find(why), std::string::npos) << errand.error();
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
