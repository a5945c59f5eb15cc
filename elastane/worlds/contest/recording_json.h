// Recordings as JSON, for the player page: columns of numbers, rounded to what a screen can show.
#pragma once

#include <string>

#include "elastane/worlds/contest/recording.h"

namespace elastane::contest {

std::string to_json(const NavigationRecording& recording);
std::string to_json(const PeptideRecording& recording);
std::string to_json(const MazeRecording& recording);

}  // namespace elastane::contest
