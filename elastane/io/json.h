// Parses JSON strictly: every key of an object appears once, and nesting is limited.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "elastane/core/base/result.h"

namespace elastane {

// nlohmann's parser keeps the last of two equal keys, and copies and prints nested values by recursion. So a hostile file
// could hide a field or exhaust the stack. Messages do not name the file; the caller adds it.
inline Result<nlohmann::json> parse_json(std::string_view text) {
  constexpr int kDeepest = 32;
  using Json = nlohmann::json;
  using Event = Json::parse_event_t;
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  std::optional<std::string> twice;
  bool deep = false;
  const auto watch = [&](int depth, Event event, Json& parsed) {
    deep = deep || depth > kDeepest;
    if (deep) return false;  // skip the rest; the text is refused already
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key && !keys.back().insert(parsed.get<std::string>()).second) twice = parsed.get<std::string>();
    return true;
  };
  Json json = Json::parse(text, watch, /*allow_exceptions=*/false);
  if (deep) return Error{"is nested too deeply"};
  if (json.is_discarded()) return Error{"is not JSON"};
  if (twice) return Error{"has the key " + *twice + " twice"};
  return json;
}

}  // namespace elastane
