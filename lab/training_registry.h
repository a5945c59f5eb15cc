// The training tasks of the worlds that this program was built with.
#pragma once

namespace elastane::lab {

class TrainingCommands;

void add_all_training(TrainingCommands& commands);

}  // namespace elastane::lab
