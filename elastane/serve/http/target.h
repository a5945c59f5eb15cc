// The target of a request: its path in decoded pieces, and its query.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace elastane::serve {

struct Target {
  std::vector<std::string> path;  // "/v1/streams/a%2Fb/rows": v1, streams, a/b, rows
  std::map<std::string, std::string> query;
};

// None if no resource of ours can have it: it is not absolute, longer than 4096 bytes, with an empty piece,
// "." or "..", a control character or an invalid escape, or with a query key twice.
std::optional<Target> parse_target(std::string_view text);

// a whole number without sign or spaces; none: something else, or too large
std::optional<std::uint64_t> parse_whole(std::string_view text);

}  // namespace elastane::serve
