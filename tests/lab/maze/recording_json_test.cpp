// lab/maze/recording_json.cpp: an episode for the page.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lab/maze/recording.h"

namespace elastane::maze {
namespace {

TEST(MazeRecordingJson, HasTheKeysThatThePageReads) {
  MazeRecording r;
  r.width = 2, r.height = 1;
  r.walls = {0, 0};
  r.goal = {1, 0};
  r.doors = {{{1, 0}, true, false}};
  r.agents.push_back({.caption = {.name = "esm"}, .steps = {{.position = {0, 0}}}, .end = {1, 0}, .heat = {0.5, 0}});
  const auto json = nlohmann::json::parse(r.json());
  EXPECT_EQ(json.at("world"), "maze");
  EXPECT_EQ(json.at("doors"), nlohmann::json::parse("[[1, 0, 1, 0]]"));
  EXPECT_EQ(json.at("agents")[0].at("position"), nlohmann::json::parse("[[0, 0], [1, 0]]"));
  for (const char* key : {"seed", "episode", "title", "story", "walls", "change_at", "start", "goal", "shortest"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
}

}  // namespace
}  // namespace elastane::maze
