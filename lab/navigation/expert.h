// One who knows the site, the air and the way: whom policies imitate, and, where it plans anew after every change, the
// ceiling for all of them.
#pragma once

#include <span>

#include "lab/navigation/drive.h"

namespace elastane::navigation {

// the command that takes the robot along its way in this air
Point expert_command(const Site& site, const Route& route, Point at, const Air& air);

// where the expert's next commands lead: way[k] is their sum after (k + 1)·stride steps
void expert_way(const Site& site, const Route& route, Point at, const Air& air, int stride, std::span<Point> way);

}  // namespace elastane::navigation
