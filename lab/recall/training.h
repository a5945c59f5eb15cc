// The task `elastane train recall`: a small Transformer that does all six tasks.
#pragma once

#include "lab/training/commands.h"

namespace elastane::recall {

void add_training(lab::TrainingCommands& commands);

}  // namespace elastane::recall
