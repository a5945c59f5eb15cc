// lab/navigation/site.h: hills, and what a valid site is.
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
    const Vec2 p{random.uniform(), random.uniform()};
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

TEST(Site, DrawnAtRandomIsValidAndLeadsHomeFromEverywhere) {
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

TEST(Site, WithShapesOutOfRangeIsRefused) {
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

}  // namespace
}  // namespace elastane::navigation
