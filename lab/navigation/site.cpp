#include "lab/navigation/site.h"

#include <algorithm>
#include <numbers>
#include <string>

#include "elastane/core/base/random.h"
#include "lab/navigation/route.h"

namespace elastane::navigation {
namespace {

constexpr double kRoom = 4 * kBody;  // between shapes, so that a robot fits through

Point random_point(Random& random, double margin) {
  const double x = random.uniform(margin, 1 - margin), y = random.uniform(margin, 1 - margin);
  return {x, y};
}

Site draw(Random& random) {
  Site site;
  for (int i = 0; i < 5; ++i) {
    site.hills.push_back({random_point(random, 0), random.uniform(-0.12, 0.12), random.uniform(0.1, 0.22)});
  }
  // the dock near a corner or an edge, so that ways are long
  const double along = random.uniform(0.08, 0.92), off = random.uniform(0.07, 0.15);
  const Point sides[] = {{along, off}, {along, 1 - off}, {off, along}, {1 - off, along}};
  site.dock = sides[random.below(4)];

  const auto free = [&](auto distance_to) {
    for (const Barrier& b : site.barriers) {
      for (int i = 0; i <= 20; ++i) {
        if (distance_to(b.from + (b.to - b.from) * (i / 20.0)) < b.half + kRoom) return false;
      }
    }
    for (const Disc& d : site.discs) {
      if (distance_to(d.centre) < d.radius + kRoom) return false;
    }
    return distance_to(site.dock) > 0.07;
  };
  for (int crate = 0, tries = 0; crate < kCrates && tries < 500; ++tries) {
    const double r = kCrateRadius[crate], at = random.uniform(r, 1 - r);
    const Point places[] = {{at, r}, {at, 1 - r}, {r, at}, {1 - r, at}};
    const Disc disc{places[random.below(4)], r};
    if (!free([&](Point p) { return distance(disc, p); })) continue;
    site.discs.push_back(disc);
    ++crate;
  }
  for (int tries = 0; tries < 200 && site.barriers.size() < 4; ++tries) {
    const Point middle = random_point(random, 0.1);
    const double turn = random.uniform(0, std::numbers::pi), half_length = random.uniform(0.09, 0.2);
    const Point arm = Point{std::cos(turn), std::sin(turn)} * half_length;
    const Barrier barrier{middle - arm, middle + arm, 0.012};
    const auto inside = [](Point p) { return std::min({p.x, p.y, 1 - p.x, 1 - p.y}) > kRoom; };
    if (!inside(barrier.from) || !inside(barrier.to)) continue;
    if (free([&](Point p) { return distance(barrier, p); })) site.barriers.push_back(barrier);
  }
  for (int tries = 0; tries < 200 && site.discs.size() < kCrates + 4; ++tries) {
    const Disc disc{random_point(random, 0.13), random.uniform(0.03, 0.065)};
    if (free([&](Point p) { return distance(disc, p); })) site.discs.push_back(disc);
  }
  return site;
}

}  // namespace

double Site::height(Point p) const {
  double sum = 0;
  for (const Hill& hill : hills) {
    const Point r = p - hill.centre;
    sum += hill.height * std::exp(-dot(r, r) / (2 * hill.width * hill.width));
  }
  return sum;
}

Point Site::slope(Point p) const {
  Point sum;
  for (const Hill& hill : hills) {
    const Point r = p - hill.centre;
    const double squares = hill.width * hill.width;
    sum += r * (-hill.height / squares * std::exp(-dot(r, r) / (2 * squares)));
  }
  return sum;
}

double Site::clearance(Point p) const {
  double least = std::min({p.x, p.y, 1 - p.x, 1 - p.y});
  for (const Barrier& barrier : barriers) least = std::min(least, distance(barrier, p));
  for (const Disc& disc : discs) least = std::min(least, distance(disc, p));
  return least;
}

double Site::cast(Point from, Point direction) const {
  double hit = cast_to_edge(from, direction);
  for (const Barrier& barrier : barriers) hit = std::min(hit, navigation::cast(barrier, from, direction));
  for (const Disc& disc : discs) hit = std::min(hit, navigation::cast(disc, from, direction));
  return hit;
}

double effort(Point slope, Point way) {
  const double length = norm(way);
  return length > 0 ? 1 + kClimb * std::max(0.0, dot(slope, way) / length) : 1;
}

double Site::effort(Point p, Point way) const { return navigation::effort(slope(p), way); }

Site random_site(std::uint64_t seed) {
  for (std::uint64_t tries = 0;; ++tries) {
    Random random(seed, tries << 32U);
    const Site site = draw(random);
    if (site.discs.size() >= kCrates && Route(site).reaches_all()) return site;
  }
}

Status validate(const Site& site) {
  const auto inside = [](Point p) { return p.x >= 0 && p.x <= 1 && p.y >= 0 && p.y <= 1; };
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
          "square; steeper than that nobody climbs"};
    }
  }
  if (const double room = site.clearance(site.dock); room < kBody) {
    return Error{"[site] dock: expected it at least " + std::to_string(kBody) + " from every obstacle, found " +
                 std::to_string(room) + "; move the dock or the obstacle"};
  }
  return {};
}

}  // namespace elastane::navigation
