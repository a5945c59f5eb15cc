// lab/maze/maps_reproduction.cpp: the table of the MovingAI maps.
#include "lab/maze/maps_reproduction.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/data.h"
#include "tests/paths.h"

namespace elastane::maze {
namespace {

int run(std::vector<std::string> words) {
  command_line::Command program("maze_maps", "");
  maps_reproduction().declare(program);
  std::vector<const char*> arguments = {"maze_maps", "--models", ELASTANE_MODELS};
  for (const std::string& word : words) arguments.push_back(word.c_str());
  return command_line::parse_and_run(program, static_cast<int>(arguments.size()), arguments.data());
}

TEST(MapsReproduction, SaysWhatToDoWithoutData) {
  try {
    run({"--data", "nowhere"});
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("give --data DIR or set ELASTANE_DATA"), std::string::npos);
  }
}

TEST(MapsReproduction, PrintsARowForEveryMapAndAgent) {
  const std::string folder = data_folder() + "/movingai/";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no " << folder << "; set ELASTANE_DATA to have it";
  testing::internal::CaptureStdout();
  EXPECT_EQ(run({"--data", data_folder(), "--episodes", "4", "--agents", "replanner,esm"}), 0);
  const std::string shown = testing::internal::GetCapturedStdout();
  EXPECT_EQ(std::ranges::count(shown, '\n'), 2 + 3 * 2);
  EXPECT_NE(shown.find("| room-32-32-4 | esm |"), std::string::npos);
}

}  // namespace
}  // namespace elastane::maze
