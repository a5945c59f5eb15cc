#include "lab/navigation/site.h"

#include <algorithm>
#include <numbers>
#include <string>

#include "elastane/core/base/random.h"
#include "lab/navigation/route.h"

namespace elastane::navigation {
namespace {

constexpr double kRoom = 4 * kBody;  // between shapes, so that the robot fits through

Vec2 random_point(Random& random, double margin) {
  const double x = random.uniform(margin, 1 - margin), y = random.uniform(margin, 1 - margin);
  return {x, y};
}

// does this shape leave room for the robot between itself and all others, and the dock?
template <class Shape>
bool is_free(const Site& site, const Shape& shape) {
  for (const Barrier& b : site.barriers) {
    for (int i = 0; i <= 20; ++i) {
      if (distance(shape, b.from + (b.to - b.from) * (i / 20.0)) < b.half + kRoom) return false;
    }
  }
  for (const Disc& d : site.discs) {
    if (distance(shape, d.centre) < d.radius + kRoom) return false;
  }
  return distance(shape, site.dock) > 0.07;
}

// near a corner or an edge, so that paths are long
Vec2 draw_dock(Random& random) {
  const double along = random.uniform(0.08, 0.92), off = random.uniform(0.07, 0.15);
  const Vec2 sides[] = {{along, off}, {along, 1 - off}, {off, along}, {1 - off, along}};
  return sides[random.below(4)];
}

void add_crates(Random& random, Site& site) {
  for (int crate = 0, tries = 0; crate < kCrates && tries < 500; ++tries) {
    const double r = kCrateRadius[crate], at = random.uniform(r, 1 - r);
    const Vec2 edges[] = {{at, r}, {at, 1 - r}, {r, at}, {1 - r, at}};
    const Disc disc{edges[random.below(4)], r};
    if (!is_free(site, disc)) continue;
    site.discs.push_back(disc);
    ++crate;
  }
}

void add_barriers(Random& random, Site& site) {
  for (int tries = 0; tries < 200 && site.barriers.size() < 4; ++tries) {
    const Vec2 middle = random_point(random, 0.1);
    const double turn = random.uniform(0, std::numbers::pi), half_length = random.uniform(0.09, 0.2);
    const Vec2 arm = Vec2{std::cos(turn), std::sin(turn)} * half_length;
    const Barrier barrier{middle - arm, middle + arm, 0.012};
    const auto inside = [](Vec2 p) { return std::min({p.x, p.y, 1 - p.x, 1 - p.y}) > kRoom; };
    if (!inside(barrier.from) || !inside(barrier.to)) continue;
    if (is_free(site, barrier)) site.barriers.push_back(barrier);
  }
}

Site draw(Random& random) {
  Site site;
  for (int i = 0; i < 5; ++i) {
    site.hills.push_back({random_point(random, 0), random.uniform(-0.12, 0.12), random.uniform(0.1, 0.22)});
  }
  site.dock = draw_dock(random);
  add_crates(random, site);
  add_barriers(random, site);
  for (int tries = 0; tries < 200 && site.discs.size() < kCrates + 4; ++tries) {
    const Disc disc{random_point(random, 0.13), random.uniform(0.03, 0.065)};
    if (is_free(site, disc)) site.discs.push_back(disc);
  }
  return site;
}

}  // namespace

double Site::height(Vec2 p) const {
  double sum = 0;
  for (const Hill& hill : hills) {
    const Vec2 r = p - hill.centre;
    sum += hill.height * std::exp(-dot(r, r) / (2 * hill.width * hill.width));
  }
  return sum;
}

Vec2 Site::slope(Vec2 p) const {
  Vec2 sum;
  for (const Hill& hill : hills) {
    const Vec2 r = p - hill.centre;
    const double squares = hill.width * hill.width;
    sum += r * (-hill.height / squares * std::exp(-dot(r, r) / (2 * squares)));
  }
  return sum;
}

double Site::clearance(Vec2 p) const {
  double least = std::min({p.x, p.y, 1 - p.x, 1 - p.y});
  for (const Barrier& barrier : barriers) least = std::min(least, distance(barrier, p));
  for (const Disc& disc : discs) least = std::min(least, distance(disc, p));
  return least;
}

double Site::cast(Vec2 from, Vec2 direction) const {
  double hit = cast_to_edge(from, direction);
  for (const Barrier& barrier : barriers) hit = std::min(hit, navigation::cast(barrier, from, direction));
  for (const Disc& disc : discs) hit = std::min(hit, navigation::cast(disc, from, direction));
  return hit;
}

double effort(Vec2 slope, Vec2 direction) {
  const double length = norm(direction);
  return length > 0 ? 1 + kClimb * std::max(0.0, dot(slope, direction) / length) : 1;
}

double Site::effort(Vec2 p, Vec2 direction) const { return navigation::effort(slope(p), direction); }

Site random_site(std::uint64_t seed) {
  for (std::uint64_t tries = 0;; ++tries) {
    Random random(seed, tries << 32U);
    const Site site = draw(random);
    if (site.discs.size() >= kCrates && Route(site).reaches_all()) return site;
  }
}

Status validate(const Site& site) {
  const auto inside = [](Vec2 p) { return p.x >= 0 && p.x <= 1 && p.y >= 0 && p.y <= 1; };
  if (!inside(site.dock)) return Error{"[site] dock: expected a point of the unit square, found one outside; move it"};
  for (const Disc& disc : site.discs) {
    if (!(disc.radius > 0 && disc.radius < 1) || !inside(disc.centre)) {
      return Error{"[site] disc: expected a radius between 0 and 1 and a centre in the unit square"};
    }
  }
  for (const Barrier& barrier : site.barriers) {
    if (!(barrier.half > 0 && barrier.half < 1) || !inside(barrier.from) || !inside(barrier.to)) {
      return Error{"[site] barrier: expected a half width between 0 and 1 and both ends in the unit square"};
    }
  }
  for (const Hill& hill : site.hills) {
    if (!(std::abs(hill.height) <= 0.5 && hill.width >= 0.03 && hill.width <= 1) || !inside(hill.centre)) {
      return Error{
          "[site] hill: expected a height from -0.5 to 0.5, a width from 0.03 to 1, and its centre in the unit "
          "square; anything steeper is too steep to climb"};
    }
  }
  if (const double room = site.clearance(site.dock); room < kBody) {
    return Error{"[site] dock: expected it at least " + std::to_string(kBody) + " from every obstacle, found " +
                 std::to_string(room) + "; move the dock or the obstacle"};
  }
  return {};
}

}  // namespace elastane::navigation
