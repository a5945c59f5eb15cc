#include "elastane/train/commit.h"

namespace elastane::train {

std::string version() { return ELASTANE_VERSION; }
std::string commit() { return ELASTANE_COMMIT; }

}  // namespace elastane::train
