// The task `elastane train router`: which heads of a model trained on recall look at the whole prompt.
#pragma once

#include "lab/training/commands.h"

namespace elastane::recall {

void add_router_training(lab::TrainingCommands& commands);

}  // namespace elastane::recall
