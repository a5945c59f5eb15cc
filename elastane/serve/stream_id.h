// Names of streams: which part of a service they belong to, and how they are written in paths and subjects.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace elastane::serve {

// FNV-1a, 32 bits: the same part everywhere, and the one that the partition mapping of nats-server gives
std::uint32_t fnv1a(std::string_view text);
inline int partition_of(std::string_view id, int partitions) {
  return static_cast<int>(fnv1a(id) % static_cast<std::uint32_t>(partitions));
}

// true for UTF-8 without control characters, not longer than the name of a series may be
bool is_stream_id(std::string_view id);

// everything but letters, digits, - and _ as %XX: safe in a path, a subject and a file name
std::string percent_encoded(std::string_view text);
// none: a % without two digits behind it
std::optional<std::string> percent_decoded(std::string_view text);

std::string hex_text(std::uint64_t value);  // sixteen digits

}  // namespace elastane::serve
