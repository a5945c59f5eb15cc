// Walks over a map that somebody drew (docs/howto/maze.md): what `elastane play maze` is asked for, and its recording.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lab/benchmark/recording.h"

namespace elastane::app {

struct MapWalk {
  std::optional<std::string> map, scenario;  // files
  std::optional<int> errand;                 // of the scenario, counted from 1
  std::vector<double> goal;
  bool still = false;

  bool asked_for() const { return map || scenario || errand || !goal.empty() || still; }
};

void add_map_options(CLI::App& verb, MapWalk& walk);

// the agents of the maze that know diagonal moves; `start` is empty or a column and a row. Throws what is wrong
benchmark::MazeRecording record_map(const MapWalk& walk, const std::vector<double>& start, const std::string& models,
                                    const benchmark::RecordingRequest& request);

}  // namespace elastane::app
