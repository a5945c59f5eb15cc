// The task `elastane train network`: a network that forecasts columns of a table.
#pragma once

#include "lab/training/commands.h"

namespace elastane::app {

void add_network_training(lab::TrainingCommands& commands);

}  // namespace elastane::app
