// Recordings as JSON, for the player page: columns of numbers, rounded to what a screen can show.
#pragma once

#include <string>

#include "lab/benchmark/recording.h"

namespace elastane::benchmark {

std::string to_json(const NavigationRecording& recording);
std::string to_json(const PeptideRecording& recording);
std::string to_json(const MazeRecording& recording);
std::string to_json(const LoopRecording& recording);

}  // namespace elastane::benchmark
