// The tasks `elastane train language`, a model of the next byte, and `elastane train language_router`, a router of its heads.
#pragma once

#include "lab/training/commands.h"

namespace elastane::language {

void add_training(lab::TrainingCommands& commands);

}  // namespace elastane::language
