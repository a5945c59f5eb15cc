// A walk as a page can show it: a maze with its doors or a map with walls that change, what each agent did and thought,
// and where it spends its micro-steps if it walks through the same maze from everywhere.
#pragma once

#include <string>
#include <vector>

#include "lab/benchmark/recording.h"
#include "lab/maze/benchmark.h"

namespace elastane::maze {

struct MazeStep {
  benchmark::Moment moment;
  Cell position;  // before the step
  // of the way to the goal from every cell, as the agent's map has it after the step; −1: it knows none. Empty: as
  // after the step before, or it has no map
  std::vector<int> lengths;
};

struct MazeAgent {
  benchmark::Caption caption;
  std::vector<MazeStep> steps;
  Cell end;
  std::vector<double>
      heat;  // [row][column]: mean K of a step there, over walks from many places; NaN: nobody was there
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
  int change_at = -1;  // step from which doors are as after; −1: never
  Cell start, goal;
  double shortest = 0;  // way, before the change
  std::vector<MazeAgent> agents;
};

inline constexpr int kMaxShown = 8;  // agents side by side

// who is shown where nobody is asked for: the map left alone, the map refined, and beside them the best network that is
// there, or the re-planner where networks cannot walk
std::vector<std::string> shown_agents(const MazeBenchmark& benchmark);

Result<MazeRecording> record(const MazeBenchmark& benchmark, const benchmark::RecordingRequest& request);

}  // namespace elastane::maze
