// One episode as an animation: an HTML page that needs nothing else, no network and no other file.
//
// What it does is in player/*.js, what it looks like in player/style.css; both become part of this program.
#pragma once

#include <string>

#include "lab/benchmark/recording.h"

namespace elastane::app {

std::string player_page(const benchmark::NavigationRecording& recording);
std::string player_page(const benchmark::PeptideRecording& recording);
std::string player_page(const benchmark::MazeRecording& recording);
std::string player_page(const benchmark::LoopRecording& recording);

}  // namespace elastane::app
