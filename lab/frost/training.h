// The task `frost` of `elastane train`: recursions over cells, and their rivals.
#pragma once

#include "lab/training/commands.h"

namespace elastane::frost {

void add_training(lab::TrainingCommands& commands);

}  // namespace elastane::frost
