// lab/maze/play.cpp: episodes on the user's own map.
#include "lab/maze/play.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/paths.h"

namespace elastane::maze {
namespace {

class MapPlay : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ + "/own.map") << "type octile\nheight 3\nwidth 5\nmap\n.....\n.@@@.\n.....\n";
    std::ofstream(folder_ + "/own.scen") << "version 1\n0 own.map 5 3 0 0 4 0 4\n0 own.map 5 3 0 2 4 2 4\n";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  lab::RecordingPointer play(std::vector<std::string> words) {
    const auto custom = make_map_play();
    command_line::Command program("play", "");
    custom->declare(program);
    program.action([&] { return custom->is_wanted() ? 0 : 3; });
    std::vector<const char*> arguments = {"play"};
    for (const std::string& word : words) arguments.push_back(word.c_str());
    EXPECT_EQ(command_line::parse_and_run(program, static_cast<int>(arguments.size()), arguments.data()), 0);
    return custom->record(ELASTANE_MODELS, {.agents = {"k0", "esm"}});
  }
  std::string error(std::vector<std::string> words) {
    try {
      play(std::move(words));
    } catch (const std::exception& caught) {
      return caught.what();
    }
    return "";
  }

  std::string folder_ = (std::filesystem::temp_directory_path() / "elastane_map_play").string();
  std::string map_ = folder_ + "/own.map", scenarios_ = folder_ + "/own.scen";
};

TEST_F(MapPlay, RecordsFromStartToGoalAndFromAScenario) {
  const auto given = play({"--map", map_, "--start", "0,0", "--goal", "4,2", "--still"});
  EXPECT_NE(given->summary.find("from (0, 0) to the green goal at (4, 2)"), std::string::npos);
  EXPECT_TRUE(given->validate());
  const auto listed = play({"--map", map_, "--scenario", scenarios_, "--scenario-number", "2"});
  EXPECT_NE(listed->summary.find("from (0, 2) to the green goal at (4, 2)"), std::string::npos);
}

TEST_F(MapPlay, SaysWhichOptionsDoNotFitTogether) {
  EXPECT_NE(error({"--still"}).find("add --map FILE"), std::string::npos);
  EXPECT_NE(error({"--map", map_, "--scenario-number", "1"}).find("add --scenario FILE"), std::string::npos);
  EXPECT_NE(error({"--map", map_, "--scenario", scenarios_, "--scenario-number", "3"}).find("one of the 2 in"),
            std::string::npos);
  EXPECT_NE(error({"--map", map_, "--start", "0.5,0"}).find("expected a column and a row"), std::string::npos);
}

}  // namespace
}  // namespace elastane::maze
