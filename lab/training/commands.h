// The tasks of `elastane train`: each world adds its own.
//
//   void add_training(lab::TrainingCommands& commands) {
//     auto options = std::make_shared<LorenzTraining>();
//     command_line::Command& task = commands.add("lorenz", "The Lorenz attractor, 0.1 s ahead");
//     lab::declare(task, options->training);                          what any training takes
//     task.option("--paths", options->paths, "trajectories to learn from").range(1, 1e6);
//     task.action([=, &commands] { return commands.run(options->training, [&] { return task_of(*options); }); });
//   }
//
// It is called once, before arguments are parsed. An action returns the exit code, and throws what the user should read.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/training/options.h"
#include "lab/training/rounds.h"

namespace elastane::lab {

class TrainingCommands {
 public:
  // `arguments`: of the whole program. Both outlive what is added.
  TrainingCommands(command_line::Command& train, std::vector<std::string> arguments, std::string version,
                   std::string commit);

  command_line::Command& add(std::string name, std::string what);  // a task
  const TrainingRecord& record() const { return record_; }         // for files that a task writes by itself

  // trains a network; `task` is called with the options in place, and takes its seed from there
  int run(TrainingOptions options, const std::function<TrainingTask()>& task) const;
  // round after round, each in its own folder, from the weights of the round before; by one process
  int run(TrainingOptions options, const TrainingRounds& rounds) const;

 private:
  command_line::Command& train_;
  std::vector<std::string> arguments_;
  TrainingRecord record_;
};

}  // namespace elastane::lab
