// How scenarios are drawn: everything that happens is checked against one who knows the site.
#include <algorithm>
#include <numbers>
#include <optional>

#include "elastane/core/base/random.h"
#include "lab/navigation/drive.h"

namespace elastane::navigation {
namespace {

constexpr double kShortest = 55;                 // steps of the way home, at least
constexpr double kProgress[] = {0.2, 0.4, 0.6};  // of the way, when the crate is dropped: early, middle, late
constexpr double kLongerBy = 1.6;                // the way round a dropped crate, at most, against the way before it
constexpr double kClear = 0.03;                  // room round the robot and the dock

std::vector<Point> way_home(const Route& route, Point start, Point dock) {
  std::vector<Point> way = {start};
  while (norm(way.back() - dock) >= kArrived && way.size() < kLimit) way.push_back(route.advance(way.back()));
  return way;
}

std::optional<Point> draw_start(const Site& site, const Route& route, Random& random) {
  for (int tries = 0; tries < 500; ++tries) {
    const double x = random.uniform(0.04, 0.96), y = random.uniform(0.04, 0.96);
    const Point p{x, y};
    if (site.clearance(p) > kBody + 0.01 && route.reaches(p) && route.cost(p) > kShortest) return p;
  }
  return std::nullopt;
}

// puts the crate on the way; false where it cannot lie there
bool drop_crate(const Site& site, const Route& route, const std::vector<Point>& way, Random& random, Scenario& s) {
  const auto length = static_cast<int>(way.size());
  s.change_at = static_cast<int>(kProgress[s.when] * length);
  const double r = kCrateRadius[s.crate];
  const Point robot = way[static_cast<std::size_t>(s.change_at)];
  const double ahead = r + kBody + random.uniform(0.03, 0.1), aside = random.uniform(-0.4, 0.4) * r;
  int landing = s.change_at;
  while (landing + 1 < length && norm(way[static_cast<std::size_t>(landing)] - robot) < ahead) ++landing;
  if (landing + 1 >= length) return false;
  const Point on_way = way[static_cast<std::size_t>(landing)];
  const Point along = way[static_cast<std::size_t>(landing) + 1] - on_way;
  if (norm(along) == 0) return false;
  s.dropped = on_way + Point{-along.y, along.x} * (aside / norm(along));
  Site after = site;
  after.discs[static_cast<std::size_t>(s.crate)].centre = s.dropped;
  const double edge = std::min({s.dropped.x, s.dropped.y, 1 - s.dropped.x, 1 - s.dropped.y});
  if (edge < 0.02 || after.clearance(robot) < kBody + kClear || after.clearance(site.dock) < kBody + kClear) {
    return false;
  }
  const Route round(after);
  return round.reaches(robot) && round.cost(robot) < kLongerBy * route.cost(robot) + 10;
}

void add_patrols(const std::vector<Point>& way, Random& random, Scenario& s) {
  for (int i = 0; i < 4; ++i) {
    const auto at = static_cast<std::size_t>(random.uniform(0.2, 0.9) * static_cast<double>(way.size()));
    const Point middle = way[std::min(at, way.size() - 1)];
    const double turn = random.uniform(0, std::numbers::pi);
    const Point arm = Point{std::cos(turn), std::sin(turn)} * random.uniform(0.1, 0.25);
    Patrol patrol{.disc = {middle, random.uniform(0.025, 0.045)}, .from = middle - arm, .to = middle + arm};
    patrol.pace = random.uniform(0.4, 0.8) * kSpeed;
    patrol.phase = random.uniform();
    if (distance(patrol.at(0), s.start) > 0.1) s.patrols.push_back(patrol);
  }
}

}  // namespace

Scenario draw_scenario(const Site& site, const Route& route, const ScenarioOptions& options, std::uint64_t seed) {
  Scenario s{.seed = seed, .mode = options.mode};
  for (std::uint64_t tries = 0; tries < 200; ++tries) {
    Random random(seed, tries << 32U);
    const std::optional<Point> start = draw_start(site, route, random);
    if (!start) break;
    s.start = *start;
    const std::vector<Point> way = way_home(route, s.start, site.dock);
    const bool drops = options.mode == Mode::dragged || options.mode == Mode::blind;
    if (drops) {
      s.when = options.when >= 0 ? options.when : random.below(3);
      s.crate = options.crate >= 0 ? options.crate : random.below(kCrates);
      if (!drop_crate(site, route, way, random, s)) continue;
    }
    if (options.mode == Mode::moving) add_patrols(way, random, s);
    if (options.mode == Mode::drifting) {
      s.wind_turn = random.uniform(0, 2 * std::numbers::pi);
      s.wind_pace = random.uniform(-0.01, 0.01);
      s.wind_speed = random.uniform(0.5, 1) * options.wind * kSpeed;
      s.strength = random.uniform(options.least_strength, 1);
      s.air_at = random.below(static_cast<int>(way.size()) / 3);
      s.change_at = kLimit;
    }
    if (options.mode == Mode::blind) {
      s.blind_for = 8 + random.below(9);
      s.blind_every = s.blind_for + 6 + random.below(7);
    }
    return s;
  }
  s.change_at = kLimit;  // a site without room for anything to happen
  return s;
}

}  // namespace elastane::navigation
