#include "lab/navigation/errand.h"

#include <algorithm>
#include <string>

#include "elastane/core/base/random.h"
#include "lab/navigation/benchmark.h"

namespace elastane::navigation {
namespace {

constexpr int kLongest = 4 * kLimit;  // steps of an errand, at most

std::string shown(Point p) { return "(" + std::to_string(p.x) + ", " + std::to_string(p.y) + ")"; }

Status check_start(const Site& site, Point start) {
  const bool inside = start.x >= 0 && start.x <= 1 && start.y >= 0 && start.y <= 1;  // and numbers
  if (!inside) return Error{"[site] start: expected a point of the unit square, found " + shown(start)};
  if (const double room = site.clearance(start); room < kBody) {
    return Error{"[site] start: expected it at least " + std::to_string(kBody) + " from every obstacle, found " +
                 std::to_string(room) + " at " + shown(start) + "; move the start or the obstacle"};
  }
  if (norm(site.dock - start) < kArrived) {
    return Error{"[site] start: expected it away from the dock, found it there; move one of them"};
  }
  return {};
}

// of some places by chance the one with the longest way home; a corner, if none has any
Point draw_start(const Place& place, std::uint64_t seed) {
  Random random(seed);
  Point best;
  double longest = 0;
  for (int i = 0; i < 64; ++i) {
    const double x = random.uniform(), y = random.uniform();
    const Point p{x, y};
    if (place.site.clearance(p) < 2 * kBody || !place.route.reaches(p) || place.route.cost(p) <= longest) continue;
    best = p;
    longest = place.route.cost(p);
  }
  return best;
}

// One who knows the site has to come home: a grid alone may see a way where the robot's body finds none.
bool comes_home(const Place& place, const Scenario& scenario) {
  return place.route.reaches(scenario.start) && best_steps(place, scenario) < scenario.limit;
}

// it waits beyond the nearest edge, where it is nothing to anybody
Disc waiting(const Disc& crate) {
  const Point c = crate.centre;
  const double r = crate.radius;
  const Point beyond[] = {{-r, c.y}, {1 + r, c.y}, {c.x, -r}, {c.x, 1 + r}};
  const auto far = [&](Point p) { return norm(p - c); };
  return {*std::ranges::min_element(beyond, {}, far), r};
}

}  // namespace

Result<Errand> make_errand(const DrawnSite& drawn, std::uint64_t seed) {
  Errand errand{Place(drawn.site), {}};
  Scenario& scenario = errand.scenario;
  scenario.seed = seed;
  scenario.limit = kLongest;
  scenario.change_at = kLongest + 1;  // never
  scenario.start = drawn.start ? *drawn.start : draw_start(errand.place, seed);
  if (Status good = check_start(drawn.site, scenario.start); !good) return Error{good.error()};
  if (!comes_home(errand.place, scenario)) {
    return Error{"[site] start: expected a way from " + shown(scenario.start) + " to the dock at " +
                 shown(drawn.site.dock) + ", found none that is wide enough; move an obstacle"};
  }
  if (drawn.drop) {
    Site after = drawn.site;
    after.discs.push_back(drawn.drop->crate);
    if (Status good = validate(after); !good) return Error{good.error() + ": where the crate is dropped"};
    errand.place.site.discs.push_back(waiting(drawn.drop->crate));
    scenario.mode = Mode::dragged;
    scenario.crate = static_cast<int>(errand.place.site.discs.size()) - 1;
    scenario.dropped = drawn.drop->crate.centre;
    scenario.change_at = drawn.drop->at;
    if (!comes_home(errand.place, scenario)) {
      return Error{"[site] drop: expected a way home round the crate, found none; make it smaller or move it"};
    }
  }
  scenario.limit = std::clamp(3 * best_steps(errand.place, scenario), kLimit, kLongest);
  return errand;
}

}  // namespace elastane::navigation
