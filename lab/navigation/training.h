// The task `elastane train navigation`.
#pragma once

#include "lab/training/commands.h"

namespace elastane::navigation {

void add_training(lab::TrainingCommands& commands);

}  // namespace elastane::navigation
