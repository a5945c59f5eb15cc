// A recording that was never played, as rich as a real one, to draw and to look at.
#pragma once

#include <limits>

#include "lab/maze/recording.h"

namespace elastane::maze {

// a corridor of nine cells with a door in the middle, which opens
inline MazeRecording made_up_maze() {
  MazeRecording r(4, 6);
  r.title = "A corridor", r.summary = "A door opens.", r.width = 9, r.height = 3;
  for (int i = 0; i < 27; ++i) r.walls.push_back(i / 9 == 1 ? 0 : 1);
  r.walls[13] = 1;
  r.doors = {{.cell = {4, 1}, .closed_before = true, .closed_after = false}};
  r.change_at = 5;
  r.start = {0, 1}, r.goal = {8, 1};
  r.shortest = 8;
  for (const char* name : {"k0", "esm"}) {
    MazeAgent agent{.caption = {.name = name, .what = "walks", .success = true, .steps = 10}};
    for (int t = 0; t < 10; ++t) {
      const int x = t < 4 ? t : t < 6 ? 3 : t - 2;
      agent.steps.push_back({.moment = {.depth = t == 3 ? 2 : 0, .loss_before = 0.1}, .position = {x, 1}});
      agent.steps.back().lengths.assign(27, -1);
    }
    agent.end = {8, 1};
    agent.heat.assign(27, std::numeric_limits<double>::quiet_NaN());
    agent.heat[12] = 2;
    r.agents.push_back(agent);
  }
  return r;
}

}  // namespace elastane::maze
