// One sitting of a training run: from its beginning or its last checkpoint to its end, or to Ctrl-C.
#pragma once

#include <string>

#include "apps/elastane_train/task.h"

namespace elastane::app {

struct RunOptions {
  std::string folder, output;  // output: where the model goes as well, or ""
  bool resume = false;
  std::int64_t checkpoint_every = 100;  // steps
  int threads = 0;                      // 0: the machine's, shared by the ranks of this machine
  train::PeersOptions peers;
  bool local_ranks = true;  // all of them on this machine
  std::string init;         // a model file to start from, or ""
  std::uint64_t seed = 1;
  std::string command;  // as it was given
};

// Trains `task`, whose configuration and options are final. Returns the exit code: 0, or 130 after Ctrl-C.
int run_training(const Task& task, const RunOptions& options);

// options as the run's record has them
nlohmann::ordered_json to_json(const train::TrainerOptions& options);

}  // namespace elastane::app
