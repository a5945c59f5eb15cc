// Sites that the user has drawn, as JSON (docs/howto/site.md):
//
//   {"dock": [0.9, 0.5],
//    "barriers": [{"from": [0.4, 0.2], "to": [0.4, 0.8], "half": 0.012}],
//    "discs": [{"centre": [0.6, 0.5], "radius": 0.05}],
//    "hills": [{"centre": [0.2, 0.2], "height": 0.1, "width": 0.15}],
//    "start": [0.1, 0.5],
//    "drop": {"at": 20, "centre": [0.3, 0.5], "radius": 0.06}}
#pragma once

#include <optional>
#include <string_view>

#include "elastane/core/base/result.h"
#include "lab/navigation/site.h"

namespace elastane::navigation {

inline constexpr int kMostShapes = 200;  // of one kind

// a crate that is placed during the episode
struct Drop {
  int at = 0;  // the first step that sees it
  Disc crate;
};

struct SiteFile {
  Site site;
  std::optional<Vec2> start;
  std::optional<Drop> drop;
};

// Checks shapes and dock; whether a path exists is checked by make_scenario.
Result<SiteFile> parse_site(std::string_view text);

}  // namespace elastane::navigation
