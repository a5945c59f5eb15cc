// lab/navigation/site.h and route.h: hills, what a site must be, and the way home.
#include "lab/navigation/site.h"

#include <gtest/gtest.h>

#include "elastane/core/base/random.h"
#include "lab/navigation/route.h"

namespace elastane::navigation {
namespace {

Site empty_site() { return {.hills = {}, .barriers = {}, .discs = {}, .dock = {0.9, 0.5}}; }

TEST(Site, SlopesAreDerivativesOfHeights) {
  const Site site = random_site(3);
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const Point p{random.uniform(), random.uniform()};
    constexpr double h = 1e-6;
    EXPECT_NEAR(site.slope(p).x, (site.height({p.x + h, p.y}) - site.height({p.x - h, p.y})) / (2 * h), 1e-8);
    EXPECT_NEAR(site.slope(p).y, (site.height({p.x, p.y + h}) - site.height({p.x, p.y - h})) / (2 * h), 1e-8);
  }
}

TEST(Site, IsTheSameForTheSameSeed) {
  const Site a = random_site(5), b = random_site(5), c = random_site(6);
  EXPECT_EQ(a.dock, b.dock);
  EXPECT_EQ(a.discs.size(), b.discs.size());
  EXPECT_NE(a.dock, c.dock);
}

TEST(Site, MadeByChanceIsValidAndLeadsHomeFromEverywhere) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Site site = random_site(seed);
    EXPECT_TRUE(validate(site)) << validate(site).error();
    EXPECT_GE(site.discs.size(), static_cast<std::size_t>(kCrates));
    EXPECT_TRUE(Route(site).reaches_all());
  }
}

TEST(Site, WithItsDockInAnObstacleIsRefused) {
  Site site = empty_site();
  site.discs.push_back({site.dock, 0.1});
  const Status status = validate(site);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().find("dock"), std::string::npos);
  EXPECT_NE(status.error().find("move"), std::string::npos);
}

TEST(Site, WithShapesOutOfReasonIsRefused) {
  for (const double radius : {-1.0, 0.0, 2.0, std::nan("")}) {
    Site site = empty_site();
    site.discs.push_back({{0.2, 0.2}, radius});
    EXPECT_FALSE(validate(site));
  }
  Site site = empty_site();
  site.dock = {1.5, 0.5};
  EXPECT_FALSE(validate(site));
  site = empty_site();
  site.barriers.push_back({{0.2, 0.2}, {7, 0.2}, 0.01});
  EXPECT_FALSE(validate(site));
}

TEST(Route, OverAnEmptyFlatSiteIsStraight) {
  const Site site = empty_site();
  const Route route(site);
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const Point p{random.uniform(0.1, 0.8), random.uniform(0.1, 0.9)};
    const double straight = norm(site.dock - p) / kSpeed;
    // sixteen neighbours: 2.7 % too long at most, and a cell at each end
    EXPECT_NEAR(route.cost(p), straight, 0.03 * straight + 2.5);
    const Point way = route.toward(p) - p, home = site.dock - p;
    EXPECT_GT(dot(way, home), 0.97 * norm(way) * norm(home));
  }
}

TEST(Route, ArrivesInAboutTheStepsItSaid) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Site site = random_site(seed);
    const Route route(site);
    Random random(seed);
    for (int i = 0; i < 20; ++i) {
      Point p{random.uniform(0.05, 0.95), random.uniform(0.05, 0.95)};
      if (site.clearance(p) < 0.03) continue;
      const double said = route.cost(p);
      int steps = 0;
      for (; norm(p - site.dock) > kArrived && steps < 1000; ++steps) {
        p = route.advance(p);
        EXPECT_GT(site.clearance(p), kBody);
      }
      // places close to obstacles cost more than time
      EXPECT_LE(steps, 1.1 * said + 5);
    }
  }
}

TEST(Route, SaysWhenThereIsNone) {
  Site site = empty_site();
  site.barriers.push_back({{0.5, 0.0}, {0.5, 1.0}, 0.02});
  const Route route(site);
  EXPECT_FALSE(route.reaches({0.2, 0.5}));
  EXPECT_TRUE(route.reaches({0.7, 0.5}));
  EXPECT_FALSE(route.reaches_all());
  EXPECT_EQ(route.toward({0.2, 0.5}), (Point{0.2, 0.5}));  // it stays
}

}  // namespace
}  // namespace elastane::navigation
