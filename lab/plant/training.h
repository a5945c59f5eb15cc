// The task `elastane train plant`.
#pragma once

#include "lab/training/commands.h"

namespace elastane::plant {

void add_training(lab::TrainingCommands& commands);

}  // namespace elastane::plant
