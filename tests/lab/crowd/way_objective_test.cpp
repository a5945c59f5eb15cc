// lab/crowd/way_objective.h and plan_latent.h: derivatives, and what curvature must be.
#include "lab/crowd/way_objective.h"

#include <gtest/gtest.h>

#include "lab/crowd/crossing.h"
#include "lab/crowd/plan_latent.h"
#include "tests/core/objective/laws.h"

namespace elastane::crowd {
namespace {

constexpr PlanShape kShape{.knots = 5, .hold = 2};

// a robot amid a scene, on a way among people
struct Amid {
  explicit Amid(std::uint64_t seed, const WayOptions& options = {})
      : forecast({.steps = kShape.steps()}, 5), objective(options, kShape.steps(), forecast), random(seed) {
    Crossing crossing(random_scene(seed));
    for (int t = 0; t < 10; ++t) {
      forecast.observe(crossing.view().people);
      crossing.step({});
    }
    robot = {{random.uniform(-1, 1), random.uniform(-2, 1)}, {0.3, 0.5}, kRadius};
    objective.begin(robot, kRobotGoal);
  }
  Vector way(double speed) {
    Vector y;
    Vec2 at = robot.position;
    for (int h = 0; h < kShape.steps(); ++h) {
      at += kTimeStep * speed * Vec2{random.normal(), random.normal()};
      y.push_back(at.x), y.push_back(at.y);
    }
    return y;
  }

  Forecast forecast;
  WayObjective objective;
  Random random;
  MovingDisc robot;
};

TEST(WayObjective, KeepsTheLawsOfObjectives) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Amid amid(seed);
    const Vector y = amid.way(1.0);
    expect_gradient_is_slope(amid.objective, y, 1e-5);
    expect_symmetric_and_positive(amid.objective, y);
    expect_rows_agree(amid.objective, y);
  }
}

TEST(WayObjective, WithoutPeopleAndSpeedItsCurvatureIsTheSecondDerivative) {
  Amid amid(1, {.people = 0, .speed = 0});
  expect_curvature_is_hessian(amid.objective, amid.way(0.5));
}

TEST(PlanLatent, ItsDerivativesAreAdjointAndThoseOfItsOutputs) {
  PlanLatent latent(kShape, kTimeStep);
  latent.begin({1, -2});
  Random random(1);
  const Vector z = normals(random, 10), q = normals(random, 10), w = normals(random, 20);
  Vector y(20), moved(20), jq(20), jtw(10);
  latent.linearise(z, y);
  latent.jvp({q.data(), 1, 10}, {jq.data(), 1, 20});
  latent.vjp({w.data(), 1, 20}, {jtw.data(), 1, 10});
  EXPECT_NEAR(elastane::dot(jq, w), elastane::dot(q, jtw), 1e-12);
  latent.output(plus(z, 1.0, q), moved);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_NEAR(moved[i] - y[i], jq[i], 1e-12);
  EXPECT_NEAR(y[0], 1 + kTimeStep * z[0], 1e-12);
  EXPECT_NEAR(y[2], 1 + 2 * kTimeStep * z[0], 1e-12);
}

}  // namespace
}  // namespace elastane::crowd
