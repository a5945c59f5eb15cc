#include "lab/navigation/expert.h"

namespace elastane::navigation {

Point expert_command(const Site& site, const Route& route, Point at, const Air& air) {
  const Point step = route.advance(at) - at;  // as it would be on still ground
  const Point wanted = step - air.wind;
  return at_most(wanted * (site.effort(at, wanted) / air.strength), kSpeed);
}

void expert_way(const Site& site, const Route& route, Point at, const Air& air, int stride, std::span<Point> way) {
  Point sum, p = at;
  for (Point& stop : way) {
    for (int i = 0; i < stride; ++i) {
      const Point command = expert_command(site, route, p, air);
      sum += command;
      p += command * (air.strength / site.effort(p, command)) + air.wind;
    }
    stop = sum;
  }
}

}  // namespace elastane::navigation
