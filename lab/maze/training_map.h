// Trains the agents with a map: heads by imitation, and ESM's gate, without back-propagation through time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/training/run.h"

namespace elastane::maze {

struct MapTraining {
  std::uint64_t seed = 1;
  int size = 15;         // of the training mazes
  int walks = 500;       // per round
  int rounds = 3;        // in the first the expert walks, then the trainee
  double price = 0.005;  // λ: of 10,000 counted multiply-adds, in nats of cross entropy with the expert
  std::string method = "marginal";
  std::string only;  // this agent only, whose score is printed and which is not stored; "": all
  std::string output = "maze.safetensors";
  lab::TrainingRecord record;
};
void train_map_agents(const MapTraining& training);

// esm with every price and seed: the curve of success against compute. `price`, `seed` and `only` are not used
struct PriceSweep {
  std::vector<double> prices = {0, 0.005, 0.02, 0.08, 0.32, 1.28};
  int seeds = 3;
};
void train_map_prices(const MapTraining& training, const PriceSweep& sweep);

}  // namespace elastane::maze
