// The task `elastane train protein_loop`.
#pragma once

#include "lab/training/commands.h"

namespace elastane::protein_loop {

void add_training(lab::TrainingCommands& commands);

}  // namespace elastane::protein_loop
