// elastane play: one episode as an animation in a page.
#pragma once

#include "command_line/options.h"

namespace elastane::app {

void add_play(command_line::Command& program);

}  // namespace elastane::app
