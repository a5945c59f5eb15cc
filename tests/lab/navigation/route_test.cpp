// lab/navigation/route.h: the path home, on empty and on random sites.
#include "lab/navigation/route.h"

#include <gtest/gtest.h>

#include "elastane/core/base/random.h"

namespace elastane::navigation {
namespace {

Site empty_site() { return {.hills = {}, .barriers = {}, .discs = {}, .dock = {0.9, 0.5}}; }

TEST(Route, OverAnEmptyFlatSiteIsStraight) {
  const Site site = empty_site();
  const Route route(site);
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const Vec2 p{random.uniform(0.1, 0.8), random.uniform(0.1, 0.9)};
    const double straight = norm(site.dock - p) / kSpeed;
    // sixteen neighbours: 2.7 % too long at most, and a cell at each end
    EXPECT_NEAR(route.cost(p), straight, 0.03 * straight + 2.5);
    const Vec2 leg = route.toward(p) - p, home = site.dock - p;
    EXPECT_GT(dot(leg, home), 0.97 * norm(leg) * norm(home));
  }
}

TEST(Route, ArrivesInAboutThePredictedSteps) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Site site = random_site(seed);
    const Route route(site);
    Random random(seed);
    for (int i = 0; i < 20; ++i) {
      Vec2 p{random.uniform(0.05, 0.95), random.uniform(0.05, 0.95)};
      if (site.clearance(p) < 0.03) continue;
      const double predicted = route.cost(p);
      int steps = 0;
      for (; norm(p - site.dock) > kArrived && steps < 1000; ++steps) {
        p = route.advance(p);
        EXPECT_GT(site.clearance(p), kBody);
      }
      // positions close to obstacles cost more than their time
      EXPECT_LE(steps, 1.1 * predicted + 5);
    }
  }
}

TEST(Route, ReportsThatThereIsNone) {
  Site site = empty_site();
  site.barriers.push_back({{0.5, 0.0}, {0.5, 1.0}, 0.02});
  const Route route(site);
  EXPECT_FALSE(route.reaches({0.2, 0.5}));
  EXPECT_TRUE(route.reaches({0.7, 0.5}));
  EXPECT_FALSE(route.reaches_all());
  EXPECT_EQ(route.toward({0.2, 0.5}), (Vec2{0.2, 0.5}));  // the robot stays
}

TEST(RandomSites, AreNumberedFromTheirSeed) {
  const std::vector<RoutedSite> sites = random_sites(3, 2);
  ASSERT_EQ(sites.size(), 2U);
  EXPECT_EQ(sites[1].site.dock, random_site(3001).dock);
}

}  // namespace
}  // namespace elastane::navigation
