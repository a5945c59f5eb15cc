// Prompts as tensors.
#pragma once

#include "elastane/train/data.h"
#include "lab/recall/observation.h"

namespace elastane::recall {

// targets are one-hot at queries and missing elsewhere
train::Series series_of(const Episode& episode);

}  // namespace elastane::recall
