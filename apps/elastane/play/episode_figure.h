// A whole episode in one still picture, for a README: SVG.
#pragma once

#include <string>

#include "lab/benchmark/recording.h"

namespace elastane::app {

// a panel an agent: the ground, what was dragged from where to where, the way, coloured by what was spent
std::string episode_figure(const benchmark::NavigationRecording& recording);
// a panel an agent: the chain at the start and at the end, and how the contact's distance fell
std::string episode_figure(const benchmark::PeptideRecording& recording);
// a panel an agent: the maze, the way through it, and where micro-steps go
std::string episode_figure(const benchmark::MazeRecording& recording);

// a panel an agent: the protein at the end, each residue coloured by what was spent on it, and K along the chain
std::string episode_figure(const benchmark::LoopRecording& recording);

}  // namespace elastane::app
