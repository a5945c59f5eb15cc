// The task `elastane train associations`: a model learns to recall pairs, is tested as a stream, and adds rows to a journal.
#pragma once

#include "lab/training/commands.h"

namespace elastane::recall {

void add_association_training(lab::TrainingCommands& commands);

}  // namespace elastane::recall
