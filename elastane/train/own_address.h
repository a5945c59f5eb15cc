// The address of this machine that another machine would see.
#pragma once

#include <string>

#include "elastane/core/base/result.h"

namespace elastane::train {

// the address from which packets to host:port would leave; nothing is sent
Result<std::string> own_address_towards(const std::string& host, int port);

}  // namespace elastane::train
