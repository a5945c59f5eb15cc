// Where the public data of experiments are.
#pragma once

#include <cstdlib>
#include <string>

namespace elastane::lab {

// $ELASTANE_DATA, the default of --data; "" if it is not set
inline std::string data_folder() {
  const char* given = std::getenv("ELASTANE_DATA");
  return given != nullptr ? given : "";
}

}  // namespace elastane::lab
