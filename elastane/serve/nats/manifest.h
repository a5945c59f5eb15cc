// What the snapshots of a partition add up to: where a replay begins, and which states it begins with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "elastane/core/base/result.h"

namespace elastane::serve {

struct Manifest {
  struct Entry {
    std::string id;
    std::uint64_t number = 0;  // of the last row in the snapshot
    std::uint64_t slot = 0;    // of two that are written in turn
    std::uint64_t pieces = 1;
  };
  std::uint64_t rows_floor = 0;                           // rows up to this sequence are in the snapshots
  std::uint64_t forecasts_floor = 0;                      // and so are forecasts
  std::uint64_t rows_last = 0, forecasts_last = 0;        // the logs reached at least so far
  std::uint64_t rows_deleted = 0, forecasts_deleted = 0;  // records missing inside of them
  std::vector<Entry> entries;
};

std::vector<std::byte> to_bytes(const Manifest& manifest);
Result<Manifest> parse_manifest(std::span<const std::byte> bytes);

}  // namespace elastane::serve
