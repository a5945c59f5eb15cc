// The poster's table of Elastic State Models: mazes and protein loops joined agent by agent.
#pragma once

#include <string>
#include <vector>

#include "lab/benchmark/results.h"
#include "lab/benchmark/results_json.h"

namespace elastane::app {

inline constexpr const char* kPosterSsm = "ssm";                  // whose energy is 1
inline constexpr const char* kPosterTransformer = "transformer";  // whose compute is 1

// success if the way may be so many times the shortest
struct Within {
  double times = 0;
  benchmark::Estimate success;
};

// one agent; what it did in one world, or in both
struct PosterRow {
  std::string agent;
  const benchmark::Row *maze = nullptr, *loop = nullptr;
  std::vector<Within> within;                 // in mazes
  double maze_compute = 0, loop_compute = 0;  // counted, of a step, over the Transformer's; NaN where it did not play
  double compute = 0;                         // their mean, or the one there is
  double p50_us = 0, mean_depth = 0, zero_share = 0;  // likewise
};

// Rows and records must outlive it; agents in the order of the maze's, then those of loops alone
std::vector<PosterRow> poster_rows(const std::vector<benchmark::Record>& maze_records,
                                   const std::vector<benchmark::Row>& maze, const std::vector<benchmark::Row>& loop);

std::string poster_table(const std::vector<PosterRow>& rows);
std::string within_table(const std::vector<PosterRow>& rows);
// compute of an episode, with its deviation, in each world
std::string episode_table(const std::vector<PosterRow>& rows);
benchmark::RowJson poster_json(const std::vector<PosterRow>& rows);

}  // namespace elastane::app
