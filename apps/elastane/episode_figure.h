// A whole episode in one still picture, for a README: SVG.
#pragma once

#include <string>

#include "elastane/worlds/contest/recording.h"

namespace elastane::app {

// a panel an agent: the ground, what was dragged from where to where, the way, coloured by what was spent
std::string episode_figure(const contest::NavigationRecording& recording);
// a panel an agent: the chain at the start and at the end, and how the contact's distance fell
std::string episode_figure(const contest::PeptideRecording& recording);
// a panel an agent: the maze, the way through it, and where micro-steps go
std::string episode_figure(const contest::MazeRecording& recording);

}  // namespace elastane::app
