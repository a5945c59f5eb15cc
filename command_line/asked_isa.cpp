#include "command_line/asked_isa.h"

#include <cstdlib>

namespace elastane::command_line {

Isa asked_isa() {
  const char* asked = std::getenv("ELASTANE_ISA");
  return asked == nullptr || *asked == '\0' ? Isa::automatic : parse_isa(asked).value();
}

}  // namespace elastane::command_line
