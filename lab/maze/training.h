// The task `elastane train maze`.
#pragma once

#include "lab/training/commands.h"

namespace elastane::maze {

void add_training(lab::TrainingCommands& commands);

}  // namespace elastane::maze
