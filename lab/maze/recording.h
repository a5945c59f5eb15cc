// An episode for a page: a maze with its doors or a map with walls that change, what each agent did and planned, and
// where it spends its micro-steps when it starts from every cell of the same maze.
#pragma once

#include <string>
#include <vector>

#include "lab/benchmark/recording.h"
#include "lab/maze/benchmark.h"

namespace elastane::maze {

struct MazeStep {
  benchmark::Moment moment;
  Cell position;  // before the step
  // length of the path to the goal from every cell, by the agent's map after the step; −1: no path is known. Empty: as
  // after the previous step, or the agent has no map
  std::vector<int> lengths;
};

struct MazeAgent {
  benchmark::Caption caption;
  std::vector<MazeStep> steps;
  Cell end;
  // [row][column]: mean K per step at the cell, over episodes from many starts; NaN: never visited
  std::vector<double> heat;
};

// a cell that is a wall at one time and free at another, or might have been
struct MazeDoor {
  Cell cell;
  bool closed_before = false, closed_after = false;
};

struct MazeRecording final : benchmark::Recording {
  using Recording::Recording;
  std::vector<benchmark::Caption> captions() const override { return benchmark::captions_of(agents); }
  Status validate() const override;
  std::string json() const override;
  std::vector<std::string> scripts() const override { return {"maze"}; }
  std::string figure() const override;

  int width = 0, height = 0;
  std::vector<int> walls;  // [row][column], row 0 at the top: 1 is a wall before the change
  std::vector<MazeDoor> doors;
  int change_at = -1;  // the first step with doors as after the change; −1: never
  Cell start, goal;
  double shortest = 0;  // path, before the change
  std::vector<MazeAgent> agents;
};

inline constexpr int kMaxShown = 8;  // agents side by side

// the agents that are shown by default: the map without and with refinement, and the best network that is available, or
// the re-planner where moves are diagonal
std::vector<std::string> shown_agents(const MazeBenchmark& benchmark);

Result<MazeRecording> record(const MazeBenchmark& benchmark, const benchmark::RecordingRequest& request);

}  // namespace elastane::maze
