// A real text at byte level: the licences that every Debian system has (package base-files).
//
// Documents are whole: some are learned from, one is held out to choose weights by, and others are tests, which nothing
// was chosen by. The GNU licences share passages among themselves, so they are all on one side.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "elastane/core/base/result.h"

namespace elastane::language {

inline constexpr const char* kFolder = "/usr/share/common-licenses";
inline constexpr int kSymbols = 128;  // ASCII; a byte above it becomes the last symbol

struct Text {
  std::vector<std::uint8_t> learn, held_out, test;  // symbols; documents one after the other
};

Result<Text> read_text(const std::string& folder = kFolder);

}  // namespace elastane::language
