// The options of any training of a network. What the user does not give stays as the task has it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command_line/options.h"
#include "lab/training/run.h"

namespace elastane::lab {

struct TrainingOptions {
  std::optional<std::int64_t> steps, batch, length, carry, warm_up, rate_warm_up, validate_every, patience;
  std::optional<double> rate, decay, clip;
  std::optional<std::string> loss, schedule, block;
  std::optional<int> layers, width;
  std::string model;
  RunOptions run;
  int rank = -1;
  std::string rendezvous;
};

template <class T>
void take(const std::optional<T>& given, T& option) {
  if (given) option = *given;
}

// Which options a task declares. A task with a choice `--network` that trains something else with some of its values
// names the values that train a network: the other values then refuse these options.
struct DeclaredOptions {
  bool ranks = true;                   // the task can be trained by several processes
  std::vector<std::string> with = {};  // values of --network that train a network; none: there is no such choice
  // options that the other values use, too; --seed and --output always are
  std::vector<std::string> shared = {};
};

void declare(command_line::Command& task, TrainingOptions& options, const DeclaredOptions& which = {});

void apply(const TrainingOptions& given, train::TrainerOptions& options);
void apply(const TrainingOptions& given, ModelConfig& config);

// "HOST:PORT"
void read_rendezvous(const std::string& text, train::PeersOptions& peers);

}  // namespace elastane::lab
