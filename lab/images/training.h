// The task `images` of `elastane train`: classifiers of images whose depth is elastic, and their rivals.
#pragma once

#include "lab/training/commands.h"

namespace elastane::images {

void add_training(lab::TrainingCommands& commands);

}  // namespace elastane::images
