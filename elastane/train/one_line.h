// The message of an error in one line: those of LibTorch are followed by stack traces.
#pragma once

#include <c10/util/Exception.h>

#include <exception>
#include <string>

namespace elastane::train {

inline std::string one_line(const std::exception& error) {
  const auto* known = dynamic_cast<const c10::Error*>(&error);
  const std::string text = known != nullptr ? known->what_without_backtrace() : error.what();
  if (text.find("DefaultCPUAllocator") != text.npos) {
    return "[memory] not enough memory; make --batch, --length or the model smaller";
  }
  return text.substr(0, text.find('\n'));
}

}  // namespace elastane::train
