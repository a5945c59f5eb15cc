#include "lab/navigation/episode.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "elastane/core/base/random.h"

namespace elastane::navigation {
namespace {

constexpr double kShortest = 55;                 // steps home, at least
constexpr double kProgress[] = {0.2, 0.4, 0.6};  // share of the path at which a crate is placed: early, middle, late
constexpr double kLongerBy = 1.6;                // the path around a crate, at most, relative to the one before
constexpr double kClear = 0.03;                  // free space around the robot and the dock

std::vector<Vec2> path_home(const RoutedSite& site, Vec2 start) {
  std::vector<Vec2> path = {start};
  while (norm(path.back() - site.site.dock) >= kArrived && path.size() < kLimit) {
    path.push_back(site.route.advance(path.back()));
  }
  return path;
}

std::optional<Vec2> draw_start(const RoutedSite& site, Random& random) {
  for (int tries = 0; tries < 500; ++tries) {
    const double x = random.uniform(0.04, 0.96), y = random.uniform(0.04, 0.96);
    const Vec2 p{x, y};
    if (site.site.clearance(p) > kBody + 0.01 && site.route.reaches(p) && site.route.cost(p) > kShortest) return p;
  }
  return std::nullopt;
}

// can the robot still get home with the crate there?
bool leaves_path(const RoutedSite& site, const Episode& episode, Vec2 robot) {
  Site after = site.site;
  after.discs[static_cast<std::size_t>(episode.crate)].centre = episode.dropped;
  const Vec2 at = episode.dropped;
  const double edge = std::min({at.x, at.y, 1 - at.x, 1 - at.y});
  if (edge < 0.02 || after.clearance(robot) < kBody + kClear || after.clearance(after.dock) < kBody + kClear) {
    return false;
  }
  const Route around(after);
  return around.reaches(robot) && around.cost(robot) < kLongerBy * site.route.cost(robot) + 10;
}

// places the crate on the path; false if it does not fit
bool place_crate(const RoutedSite& site, const std::vector<Vec2>& path, Random& random, Episode& episode) {
  const auto length = static_cast<int>(path.size());
  episode.change_at = static_cast<int>(kProgress[episode.when] * length);
  const double r = kCrateRadius[episode.crate];
  const Vec2 robot = path[static_cast<std::size_t>(episode.change_at)];
  const double ahead = r + kBody + random.uniform(0.03, 0.1), aside = random.uniform(-0.4, 0.4) * r;
  int landing = episode.change_at;
  while (landing + 1 < length && norm(path[static_cast<std::size_t>(landing)] - robot) < ahead) ++landing;
  if (landing + 1 >= length) return false;
  const Vec2 on_path = path[static_cast<std::size_t>(landing)];
  const Vec2 along = path[static_cast<std::size_t>(landing) + 1] - on_path;
  if (norm(along) == 0) return false;
  episode.dropped = on_path + Vec2{-along.y, along.x} * (aside / norm(along));
  return leaves_path(site, episode, robot);
}

void add_patrols(const std::vector<Vec2>& path, Random& random, Episode& episode) {
  for (int i = 0; i < 4; ++i) {
    const auto at = static_cast<std::size_t>(random.uniform(0.2, 0.9) * static_cast<double>(path.size()));
    const Vec2 middle = path[std::min(at, path.size() - 1)];
    const double turn = random.uniform(0, std::numbers::pi);
    const Vec2 arm = Vec2{std::cos(turn), std::sin(turn)} * random.uniform(0.1, 0.25);
    Patrol patrol{.disc = {middle, random.uniform(0.025, 0.045)}, .from = middle - arm, .to = middle + arm};
    patrol.pace = random.uniform(0.4, 0.8) * kSpeed;
    patrol.phase = random.uniform();
    if (distance(patrol.at(0), episode.start) > 0.1) episode.patrols.push_back(patrol);
  }
}

void add_disturbance(const EpisodeOptions& options, std::size_t length, Random& random, Episode& episode) {
  episode.wind_turn = random.uniform(0, 2 * std::numbers::pi);
  episode.wind_pace = random.uniform(-0.01, 0.01);
  episode.wind_speed = random.uniform(0.5, 1) * options.wind * kSpeed;
  episode.strength = random.uniform(options.least_strength, 1);
  episode.disturbed_at = random.below(static_cast<int>(length) / 3);
}

void add_drop_outs(Random& random, Episode& episode) {
  episode.blind_for = 8 + random.below(9);
  episode.blind_every = episode.blind_for + 6 + random.below(7);
}

}  // namespace

Disc Patrol::at(int step) const {
  const double length = norm(to - from);
  double share = phase + (length > 0 ? pace * step / (2 * length) : 0);  // of the round trip
  share -= std::floor(share);
  const double along = share < 0.5 ? 2 * share : 2 - 2 * share;
  return {from + (to - from) * along, disc.radius};
}

Disturbance Episode::disturbance(int step) const {
  if (step < disturbed_at) return {};
  const double turn = wind_turn + wind_pace * (step - disturbed_at);
  return {Vec2{std::cos(turn), std::sin(turn)} * wind_speed, strength};
}

bool Episode::blind(int step) const { return blind_every > 0 && step % blind_every >= blind_every - blind_for; }

Episode draw_episode(const RoutedSite& site, const EpisodeOptions& options, std::uint64_t seed) {
  Episode episode{.seed = seed, .mode = options.mode};
  for (std::uint64_t tries = 0; tries < 200; ++tries) {
    Random random(seed, tries << 32U);
    const std::optional<Vec2> start = draw_start(site, random);
    if (!start) break;
    episode.start = *start;
    const std::vector<Vec2> path = path_home(site, episode.start);
    if (places_crate(options.mode)) {
      episode.when = options.when >= 0 ? options.when : random.below(3);
      episode.crate = options.crate >= 0 ? options.crate : random.below(kCrates);
      if (!place_crate(site, path, random, episode)) continue;
    }
    if (options.mode == Mode::moving) add_patrols(path, random, episode);
    if (has_wind(options.mode)) add_disturbance(options, path.size(), random, episode);
    if (options.mode == Mode::blind) add_drop_outs(random, episode);
    return episode;
  }
  episode.change_at = kLimit;  // the site has no room for a change
  return episode;
}

}  // namespace elastane::navigation
