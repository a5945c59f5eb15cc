// The task `elastane train lorenz`.
#pragma once

#include "lab/training/commands.h"

namespace elastane::lorenz {

void add_training(lab::TrainingCommands& commands);

}  // namespace elastane::lorenz
