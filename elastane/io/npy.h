// Reads NumPy array files: one to three dimensions of float32, float64, int32 or int64, little-endian.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "elastane/io/table.h"

namespace elastane {

// One row per entry of the first dimension, with columns c0, c1, … If there are three dimensions, the first is the series.
Result<Table> parse_npy(std::span<const std::byte> bytes, const std::string& source);

}  // namespace elastane
