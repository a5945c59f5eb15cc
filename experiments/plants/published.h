// The published runs of both plants, from $ELASTANE_DATA or ../shared/data (plant/rlc and plant/cstr there).
#pragma once

#include <string>
#include <vector>

#include "elastane/core/base/result.h"
#include "lab/plant/record.h"

namespace elastane::published {

std::string folder();  // where they are looked for
bool found();

// split: train, test, transfer or eval
Result<std::vector<plant::Record>> circuit(const std::string& split);
// Outputs of the reactor's transfer and eval are in other units than those of train and test: the source's program
// divides them by their own deviations in train, and the others by the inputs'. `as_in_training` undoes that.
Result<std::vector<plant::Record>> reactor(const std::string& split, bool as_in_training);

}  // namespace elastane::published
