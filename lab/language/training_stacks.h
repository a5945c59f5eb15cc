// The task `elastane train text`: one stack of the comparison learns a text, is tested as a stream, and appends to a journal.
#pragma once

#include "lab/training/commands.h"

namespace elastane::language {

void add_stack_training(lab::TrainingCommands& commands);

}  // namespace elastane::language
