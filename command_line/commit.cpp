#include "command_line/commit.h"

#include "elastane_commit.h"  // made by cmake/commit.cmake

namespace elastane::app {

std::string version() { return ELASTANE_VERSION; }
std::string commit() { return ELASTANE_COMMIT; }

}  // namespace elastane::app
