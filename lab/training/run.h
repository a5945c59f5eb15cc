// Runs a training task: from its beginning or its last checkpoint to its end, or to Ctrl-C.
#pragma once

#include <string>

#include "lab/training/task.h"

namespace elastane::lab {

// what is recorded about a training, in its folder and in the model file
struct TrainingRecord {
  std::string command;          // as it was given
  std::string version, commit;  // of Elastane
};

struct RunOptions {
  std::string folder, output;  // output: a copy of the model goes there too, unless it is ""
  bool resume = false;
  std::int64_t checkpoint_every = 100;  // steps
  int threads = 0;                      // 0: all cores, shared by the ranks on this machine
  train::PeersOptions peers;
  bool local_ranks = true;  // all of them on this machine
  std::string init;         // a model file to start from, or ""
  std::string onto;  // likewise, of a smaller model: tensors of the same name and shape are taken, the rest is fresh
  std::uint64_t seed = 1;
  TrainingRecord record = {};
};

// Trains `task`, whose configuration and options are final. Returns the exit code: 0, or 130 after Ctrl-C.
int run_training(const TrainingTask& task, const RunOptions& options);

// options as the run's record has them
nlohmann::ordered_json to_json(const train::TrainerOptions& options);

}  // namespace elastane::lab
