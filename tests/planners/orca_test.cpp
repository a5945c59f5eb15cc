// elastane/planners/orca.h: linear programs against all velocities of a grid, half-planes against what they promise.
#include "elastane/planners/orca.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numbers>

#include "elastane/core/base/random.h"
#include "tests/realtime/interpose.h"

namespace elastane::planners {
namespace {

constexpr double kLimit = 1;
constexpr int kGrid = 400;

Vec2 random_in_disc(Random& random, double radius) {
  const double angle = random.uniform(0, 2 * std::numbers::pi), r = radius * std::sqrt(random.uniform());
  return {r * std::cos(angle), r * std::sin(angle)};
}

std::vector<HalfPlane> random_planes(Random& random, int count, double spread) {
  std::vector<HalfPlane> planes;
  for (int i = 0; i < count; ++i) {
    const double angle = random.uniform(0, 2 * std::numbers::pi);
    planes.push_back({random_in_disc(random, spread), {std::cos(angle), std::sin(angle)}});
  }
  return planes;
}

double worst_outside(const std::vector<HalfPlane>& planes, Vec2 v) {
  double worst = -std::numeric_limits<double>::infinity();
  for (const HalfPlane& plane : planes) worst = std::max(worst, plane.outside(v));
  return worst;
}

// calls with every velocity of a grid that is within the limit
template <class F>
void for_all_velocities(const F& f) {
  for (int i = -kGrid; i <= kGrid; ++i) {
    for (int j = -kGrid; j <= kGrid; ++j) {
      const Vec2 v{kLimit * i / kGrid, kLimit * j / kGrid};
      if (norm(v) <= kLimit) f(v);
    }
  }
}

TEST(Orca, FindsTheNearestAllowedVelocityOrTheLeastBadOne) {
  Random random(1);
  int feasible = 0, infeasible = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const auto planes = random_planes(random, 1 + trial % 6, trial % 2 == 0 ? 0.5 : 1.2);
    const Vec2 wanted = random_in_disc(random, 1.3);
    std::vector<HalfPlane> scratch(planes.size());
    const Vec2 found = nearest_allowed(planes, kLimit, wanted, scratch);
    EXPECT_LE(norm(found), kLimit + 1e-9);

    double nearest = std::numeric_limits<double>::infinity(), least = nearest;
    for_all_velocities([&](Vec2 v) {
      const double outside = worst_outside(planes, v);
      least = std::min(least, outside);
      if (outside <= 0) nearest = std::min(nearest, norm(v - wanted));
    });
    constexpr double kCell = 1.5 * kLimit / kGrid;  // how near a point of the grid is
    if (least <= 0) {
      ++feasible;
      EXPECT_LE(worst_outside(planes, found), 1e-9) << trial;
      EXPECT_LE(norm(found - wanted), nearest + 1e-9) << trial;
    } else if (least > kCell) {
      ++infeasible;
      EXPECT_LE(worst_outside(planes, found), least + 1e-9) << trial;
    }
  }
  EXPECT_GT(feasible, 15);
  EXPECT_GT(infeasible, 10);
}

// do two discs with these velocities touch within this time?
bool touch(const MovingDisc& a, const MovingDisc& b, Vec2 va, Vec2 vb, double seconds) {
  const Vec2 p = b.position - a.position, v = vb - va;
  const double squares = dot(v, v);
  const double t = squares > 0 ? std::clamp(-dot(p, v) / squares, 0.0, seconds) : 0.0;
  return norm(p + t * v) < a.radius + b.radius - 1e-9;
}

TEST(Orca, TwoWhoKeepToTheirHalfPlanesDoNotMeetWithinTheHorizon) {
  Random random(2);
  const OrcaOptions options;
  int checked = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const MovingDisc a{{}, random_in_disc(random, 1), 0.3},
        b{random_in_disc(random, 5), random_in_disc(random, 1), 0.4};
    if (norm(b.position) < 0.75) continue;
    const HalfPlane for_a = forbid(a, b, options), for_b = forbid(b, a, options);
    for (int i = 0; i < 50; ++i) {
      const Vec2 va = random_in_disc(random, 1), vb = random_in_disc(random, 1);
      if (for_a.outside(va) > 0 || for_b.outside(vb) > 0) continue;
      ++checked;
      EXPECT_FALSE(touch(a, b, va, vb, options.time_horizon));
    }
  }
  EXPECT_GT(checked, 1000);
}

TEST(Orca, TheBurdenIsSharedInHalves) {
  Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const MovingDisc a{{}, random_in_disc(random, 1), 0.3},
        b{Vec2{2, 0} + random_in_disc(random, 1), random_in_disc(random, 1), 0.3};
    const HalfPlane for_a = forbid(a, b, {}), for_b = forbid(b, a, {});
    EXPECT_NEAR(for_a.outside(a.velocity), for_b.outside(b.velocity), 1e-12);
    EXPECT_NEAR(norm(for_a.direction), 1, 1e-12);
  }
}

TEST(Orca, DiscsThatOverlapAreApartAfterAStep) {
  const OrcaOptions options;
  const MovingDisc a{{}, {}, 0.3}, b{{0.4, 0.1}, {}, 0.3};
  Orca orca({.time_step = options.time_step, .speed_limit = 2}, 1);
  const MovingDisc for_a[] = {b}, for_b[] = {a};
  const Vec2 va = orca.choose(a, for_a, {}), vb = orca.choose(b, for_b, {});
  EXPECT_GE(norm(b.position - a.position + options.time_step * (vb - va)), 0.6 - 1e-9);
}

TEST(Orca, LooksAtTheNearestOnly) {
  const MovingDisc me{{}, {1, 0}, 0.3}, near{{1, 0}, {-1, 0}, 0.3}, far{{9, 0}, {-1, 0}, 0.3};
  const MovingDisc others[] = {far, near};
  Orca one({.neighbours = 1}, 2), all({}, 2), blind({.neighbour_distance = 0.5}, 2);
  EXPECT_EQ(one.allowed(me, others).size(), 1U);
  EXPECT_EQ(one.allowed(me, others)[0].point, forbid(me, near, {}).point);
  EXPECT_EQ(all.allowed(me, others).size(), 2U);
  EXPECT_EQ(blind.choose(me, others, {1, 0}), (Vec2{1, 0}));
}

TEST(Orca, AsksForNoMemoryWhileChoosing) {
  if (!kCanWatch) GTEST_SKIP() << "sanitizers have an allocator of their own";
  const MovingDisc me{{}, {1, 0}, 0.3}, others[] = {{{1, 0}, {-1, 0}, 0.3}, {{0, 1}, {0, -1}, 0.3}};
  Orca orca({}, 2);
  watch();
  orca.choose(me, others, {1, 0});
  EXPECT_EQ(unwatch().allocations, 0);
}

TEST(Orca, RefusesOptionsThatMeanNothing) {
  EXPECT_TRUE(validate(OrcaOptions{}));
  EXPECT_FALSE(validate(OrcaOptions{.time_horizon = 0}));
  EXPECT_FALSE(validate(OrcaOptions{.time_step = std::numeric_limits<double>::quiet_NaN()}));
}

}  // namespace
}  // namespace elastane::planners
