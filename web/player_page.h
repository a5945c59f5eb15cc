// One episode as an animation: an HTML page that needs nothing else, no network and no other file.
//
// What it does is in player/*.js, what it looks like in player/style.css; both become part of this program.
#pragma once

#include <string>
#include <vector>

namespace elastane::web {

// scripts: names of files in web/player, without their ending, that draw the episode; throws if there is none of a name
std::string player_page(const std::string& title, const std::string& json, const std::vector<std::string>& scripts);

}  // namespace elastane::web
