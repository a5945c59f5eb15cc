#include "apps/elastane_train/tasks.h"

#include "apps/elastane_train/network_task.h"
#include "lab/training_registry.h"

namespace elastane::app {

void add_tasks(lab::TrainingCommands& tasks) {
  tasks.add("series", "A forecaster that adapts, from a table");  // for --help: `elastane` does it itself
  add_network_training(tasks);
  lab::add_all_training(tasks);
}

}  // namespace elastane::app
