// Recursions over cells in the engine: a model of any size from the weights of one, and what it does on episodes.
#pragma once

#include <string>
#include <vector>

#include "elastane/io/model_file.h"
#include "lab/benchmark/depth_rows.h"
#include "lab/frost/episode.h"

namespace elastane::frost {

inline constexpr double kTolerance = 0.05;  // of certificates over cells
// h = c^distance must stay above what a read-out can tell from 0: 120 cells, and 48 bits through gates that lose 2 % each
inline constexpr double kGridContraction = 0.98, kLineContraction = 0.995;

// the configuration of a model for episodes of this size
ModelConfig cells_config(Task task, int size);

// The same weights on another size; `depth` iterations of every cell if it is above 0, else until they are certified.
// Throws what the user should read
Model resized(const ModelFile& file, Task task, int size, int depth = 0);

// class of every cell from a model's outputs
std::vector<std::uint8_t> classes_of(std::span<const float> outputs);

inline constexpr std::uint64_t kTestEpisodes = 6ULL << 40U;

struct CellsTest {
  int size = 8;
  int episodes = 200;
  std::uint64_t first_seed = kTestEpisodes;
  int check_depth = 1000;  // certified classes are compared with those at this depth
};
// solved, accuracy, depth, its correlation with the oracle's, violations of certified classes, multiply-adds and time
benchmark::DepthRow test_cells(const ModelFile& file, Task task, const CellsTest& test);

}  // namespace elastane::frost
