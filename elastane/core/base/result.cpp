#include "elastane/core/base/result.h"

#include <stdexcept>

namespace elastane {

void throw_error(const std::string& message) { throw std::runtime_error(message); }

}  // namespace elastane
