#include "tests/paths.h"

namespace elastane {

const char* const kGoldensPath = ELASTANE_SOURCE "/tests/parity/goldens";
const char* const kModelsPath = ELASTANE_SOURCE "/models";

}  // namespace elastane
