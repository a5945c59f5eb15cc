// What went wrong, in one line: messages of LibTorch go on with stack traces.
#pragma once

#include <c10/util/Exception.h>

#include <exception>
#include <string>

namespace elastane::train {

inline std::string one_line(const std::exception& error) {
  const auto* known = dynamic_cast<const c10::Error*>(&error);
  const std::string text = known != nullptr ? known->what_without_backtrace() : error.what();
  if (text.find("DefaultCPUAllocator") != text.npos) {
    return "[memory] there is not enough; make --batch, --length or the model smaller";
  }
  return text.substr(0, text.find('\n'));
}

}  // namespace elastane::train
