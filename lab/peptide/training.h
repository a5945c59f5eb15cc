// The task `elastane train peptide`.
#pragma once

#include "lab/training/commands.h"

namespace elastane::peptide {

void add_training(lab::TrainingCommands& commands);

}  // namespace elastane::peptide
