// The poster's table of Elastic State Models: mazes and protein loops joined agent by agent.
#pragma once

#include <string>
#include <vector>

#include "lab/benchmark/results.h"
#include "lab/benchmark/results_json.h"

namespace elastane::esm {

// success if the path may be at most this many times the shortest
struct Within {
  double times = 0;
  benchmark::Estimate success;
};

// one agent: its rows in one world, or in both
struct PosterRow {
  std::string agent;
  const benchmark::Row *maze = nullptr, *loop = nullptr;
  std::vector<Within> within;                 // in mazes
  double maze_compute = 0, loop_compute = 0;  // counted, per step, over the Transformer's; NaN if it did not take part
  double compute = 0;                         // their mean, or the one there is
  double p50_us = 0, mean_depth = 0, zero_share = 0;  // likewise
};

// Rows and records must outlive it. Agents in the order of the maze's, then those of loops alone.
std::vector<PosterRow> poster_rows(const std::vector<benchmark::Record>& maze_records,
                                   const std::vector<benchmark::Row>& maze, const std::vector<benchmark::Row>& loop);

std::string poster_table(const std::vector<PosterRow>& rows);
std::string within_table(const std::vector<PosterRow>& rows);
// compute per episode, with its deviation, in each world
std::string episode_table(const std::vector<PosterRow>& rows);
benchmark::RowJson poster_json(const std::vector<PosterRow>& rows);

}  // namespace elastane::esm
