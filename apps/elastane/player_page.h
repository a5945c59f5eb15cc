// One episode as an animation: an HTML page that needs nothing else, no network and no other file.
//
// What it does is in player/*.js, what it looks like in player/style.css; both become part of this program.
#pragma once

#include <string>

#include "elastane/worlds/contest/recording.h"

namespace elastane::app {

std::string player_page(const contest::NavigationRecording& recording);
std::string player_page(const contest::PeptideRecording& recording);
std::string player_page(const contest::MazeRecording& recording);

}  // namespace elastane::app
