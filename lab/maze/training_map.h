// Training of the maze's agents that have a map: heads by imitation, and ESM's gate, without back-propagation through
// time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/training/run.h"

namespace elastane::maze {

struct MazeRun {
  std::uint64_t seed = 1;
  int size = 15;         // of the mazes to learn from
  int walks = 500;       // of every round
  int rounds = 3;        // in the first the re-planner walks, then whoever learns
  double price = 0.005;  // λ: of 10,000 counted multiply-adds, in nats of the re-planner's surprise
  std::string method = "marginal";
  std::string only;  // one mind alone, which is judged and not stored; "": all
  std::string output = "maze.safetensors";
  lab::TrainingRecord record;
};
void train_maze(const MazeRun& run);

// esm with every price and seed: the curve of success against compute. `run.price`, `seed` and `only` are not used
struct PriceSweep {
  std::vector<double> prices = {0, 0.005, 0.02, 0.08, 0.32, 1.28};
  int seeds = 3;
};
void train_maze_prices(const MazeRun& run, const PriceSweep& sweep);

}  // namespace elastane::maze
