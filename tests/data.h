// Where public data for tests lies: the folder that the environment variable ELASTANE_DATA names, or "" (then skip).
#pragma once

#include <cstdlib>
#include <string>

namespace elastane {

inline std::string data_folder() {
  const char* given = std::getenv("ELASTANE_DATA");
  return given != nullptr ? given : "";
}

}  // namespace elastane
