// lab/maze/figure.cpp: an episode as a picture.
#include <gtest/gtest.h>

#include "lab/maze/recording.h"

namespace elastane::maze {
namespace {

MazeRecording small() {
  MazeRecording r;
  r.title = "A small maze";
  r.width = 2, r.height = 1;
  r.walls = {0, 0};
  r.goal = {1, 0};
  r.agents.push_back({.caption = {.name = "esm"}, .steps = {{.position = {0, 0}}}, .end = {1, 0}, .heat = {0.5, 0}});
  r.agents[0].steps[0].moment.depth = 2;
  return r;
}

TEST(MazeFigure, HasAPanelForEveryAgentAndADotWhereItRefines) {
  MazeRecording r = small();
  const std::string one = r.figure();
  EXPECT_EQ(one.find("<svg"), 0u);
  EXPECT_NE(one.find("esm"), std::string::npos);
  EXPECT_NE(one.find("<polyline"), std::string::npos);
  r.agents.push_back(r.agents[0]);
  r.agents[1].caption.name = "k0";
  EXPECT_NE(r.figure().find("k0"), std::string::npos);
}

}  // namespace
}  // namespace elastane::maze
