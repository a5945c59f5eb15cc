#include "lab/navigation/observation.h"

#include <cmath>
#include <numbers>

namespace elastane::navigation {

Vec2 ray_direction(int ray) {
  const double turn = 2 * std::numbers::pi * ray / kRays;
  return {std::cos(turn), std::sin(turn)};
}

}  // namespace elastane::navigation
