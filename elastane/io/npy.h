// NumPy's array files: one to three dimensions of float32, float64, int32 or int64, little-endian.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "elastane/io/table.h"

namespace elastane {

// one row for each entry of the first dimension; columns are c0, c1, … Of three dimensions the first is the series.
Result<Table> parse_npy(std::span<const std::byte> bytes, const std::string& source);

}  // namespace elastane
