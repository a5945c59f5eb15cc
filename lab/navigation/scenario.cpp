#include "lab/navigation/scenario.h"

#include <algorithm>
#include <string>

#include "elastane/core/base/random.h"
#include "lab/navigation/expert.h"

namespace elastane::navigation {
namespace {

constexpr int kLongest = 4 * kLimit;  // steps of a custom episode, at most

std::string text_of(Vec2 p) { return "(" + std::to_string(p.x) + ", " + std::to_string(p.y) + ")"; }

Status check_start(const Site& site, Vec2 start) {
  const bool inside = start.x >= 0 && start.x <= 1 && start.y >= 0 && start.y <= 1;  // false for NaN
  if (!inside) return Error{"[site] start: expected a point of the unit square, found " + text_of(start)};
  if (const double room = site.clearance(start); room < kBody) {
    return Error{"[site] start: expected it at least " + std::to_string(kBody) + " from every obstacle, found " +
                 std::to_string(room) + " at " + text_of(start) + "; move the start or the obstacle"};
  }
  if (norm(site.dock - start) < kArrived) {
    return Error{"[site] start: expected it away from the dock, found it there; move one of them"};
  }
  return {};
}

// of 64 random positions, the one farthest from home; a corner if none can reach it
Vec2 draw_start(const RoutedSite& site, std::uint64_t seed) {
  Random random(seed);
  Vec2 best;
  double longest = 0;
  for (int i = 0; i < 64; ++i) {
    const double x = random.uniform(), y = random.uniform();
    const Vec2 p{x, y};
    if (site.site.clearance(p) < 2 * kBody || !site.route.reaches(p) || site.route.cost(p) <= longest) continue;
    best = p;
    longest = site.route.cost(p);
  }
  return best;
}

// The oracle must come home: a route on the grid alone may be too narrow for the robot's body.
bool comes_home(const RoutedSite& site, const Episode& episode) {
  return site.route.reaches(episode.start) && best_steps(site, episode) < episode.limit;
}

// the crate waits beyond the nearest edge, where it affects nothing
Disc waiting(const Disc& crate) {
  const Vec2 c = crate.centre;
  const double r = crate.radius;
  const Vec2 beyond[] = {{-r, c.y}, {1 + r, c.y}, {c.x, -r}, {c.x, 1 + r}};
  const auto far = [&](Vec2 p) { return norm(p - c); };
  return {*std::ranges::min_element(beyond, {}, far), r};
}

Status add_drop(const SiteFile& file, Scenario& scenario) {
  Site after = file.site;
  after.discs.push_back(file.drop->crate);
  if (Status good = validate(after); !good) return Error{good.error() + ": with the crate in place"};
  scenario.site.site.discs.push_back(waiting(file.drop->crate));
  Episode& episode = scenario.episode;
  episode.mode = Mode::dragged;
  episode.crate = static_cast<int>(scenario.site.site.discs.size()) - 1;
  episode.dropped = file.drop->crate.centre;
  episode.change_at = file.drop->at;
  if (comes_home(scenario.site, episode)) return {};
  return Error{"[site] drop: expected a path home around the crate, found none; make it smaller or move it"};
}

}  // namespace

Result<Scenario> make_scenario(const SiteFile& file, std::uint64_t seed) {
  Scenario scenario{RoutedSite(file.site), {}};
  Episode& episode = scenario.episode;
  episode.seed = seed;
  episode.limit = kLongest;
  episode.change_at = kLongest + 1;  // never
  episode.start = file.start ? *file.start : draw_start(scenario.site, seed);
  if (Status good = check_start(file.site, episode.start); !good) return Error{good.error()};
  if (!comes_home(scenario.site, episode)) {
    return Error{"[site] start: expected a path from " + text_of(episode.start) + " to the dock at " +
                 text_of(file.site.dock) + ", found none that is wide enough; move an obstacle"};
  }
  if (file.drop) {
    if (Status good = add_drop(file, scenario); !good) return Error{good.error()};
  }
  episode.limit = std::clamp(3 * best_steps(scenario.site, episode), kLimit, kLongest);
  return scenario;
}

}  // namespace elastane::navigation
