// lab/maze/map_file.cpp: published maps and scenarios, read as their authors mean them.
#include "lab/maze/map_file.h"
#include "tests/data.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace elastane::maze {
namespace {

const std::string kMap = "type octile\nheight 3\nwidth 4\nmap\n....\n.@T.\nG.SO\n";

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(Map, ReadsFreeCellsAndWalls) {
  const Grid map = parse_map(kMap).value();
  EXPECT_EQ(map.width(), 4);
  EXPECT_EQ(map.height(), 3);
  EXPECT_FALSE(map.is_wall(Cell{0, 2}));
  EXPECT_TRUE(map.is_wall(Cell{2, 1}));
  EXPECT_TRUE(map.is_wall(Cell{3, 2}));
}

TEST(Map, AgreesWithThePublishedLengthsOfAllScenarios) {
  const std::string folder = data_folder() + "/movingai/";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no " << folder << "; set ELASTANE_DATA to have it";
  for (const std::string name : {"maze-32-32-2", "maze-32-32-4", "room-32-32-4"}) {
    const Grid map = parse_map(text_of(folder + "maps/" + name + ".map")).value();
    const auto scenarios = parse_scenarios(text_of(folder + "scenarios/" + name + "-random-1.scen")).value();
    EXPECT_GT(scenarios.size(), 100U);
    for (const MapScenario& scenario : scenarios) {
      EXPECT_EQ(scenario.map, name + ".map");
      EXPECT_NEAR(make_episode(map, scenario)->shortest, scenario.shortest, 1e-6);
    }
  }
}

void expect_refused(const std::string& text, const std::string& why) {
  const auto map = parse_map(text);
  ASSERT_FALSE(map) << text;
  EXPECT_NE(map.error().find(why), std::string::npos) << map.error();
}

TEST(Map, SaysWhichLineOrCellIsWrong) {
  expect_refused("", "a line that says map");
  expect_refused("type hexagonal\n", "line 1: expected type octile, found 'hexagonal'");
  expect_refused("height 2\nmap\n", "line 2: expected width and height");
  expect_refused("width 1000000\n", "line 1: expected width from 1 to 4096");
  expect_refused("width 2\nheight 2\nmap\n..\n...\n", "line 5: expected 2 cells, found 3");
  expect_refused("width 2\nheight 2\nmap\n..\n", "expected 2 rows, found 1");
  expect_refused("width 2\nheight 1\nmap\n..\n\n.@\n", "line 6: expected the end after 1 rows, found '.@'");
  expect_refused("width 2\nheight 2\nmap\n..\n.x\n", "cell (1, 1): expected one of . G S @ O T W, found 'x'");
}

TEST(Scenario, IsRefusedWhereAFieldIsMissingOrNoNumber) {
  EXPECT_FALSE(parse_scenarios("0 a.map 4 3 0 0 1\n"));
  EXPECT_FALSE(parse_scenarios("0 a.map 4 3 0 0 1 -1 2\n"));
  EXPECT_FALSE(parse_scenarios("0 a.map 4 3 0 0 1 1 nan\n"));
}

}  // namespace
}  // namespace elastane::maze
