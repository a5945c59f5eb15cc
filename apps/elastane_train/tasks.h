// The tasks of `elastane train`: networks for tables, and what every world of the lab trains.
#pragma once

#include "lab/training/commands.h"

namespace elastane::app {

void add_tasks(lab::TrainingCommands& tasks);

}  // namespace elastane::app
