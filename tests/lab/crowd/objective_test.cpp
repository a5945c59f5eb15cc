// lab/crowd/objective.h: derivatives against differences.
#include "lab/crowd/objective.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lab/crowd/environment.h"
#include "lab/crowd/plan_latent.h"
#include "tests/core/objective/laws.h"

namespace elastane::crowd {
namespace {

constexpr PlanShape kShape{.knots = 5, .hold = 2};

// a robot among the people of an episode
struct Crowd {
  explicit Crowd(std::uint64_t seed, const CostWeights& options = {})
      : forecast({.steps = kShape.steps()}, 5), objective(options, kShape.steps(), forecast), random(seed) {
    Environment environment(draw_episode(seed));
    for (int t = 0; t < 10; ++t) {
      forecast.observe(environment.observe().people);
      environment.step({});
    }
    robot = {{random.uniform(-1, 1), random.uniform(-2, 1)}, {0.3, 0.5}, kRadius};
    objective.begin(robot, kRobotGoal);
  }
  Vector random_path(double speed) {
    Vector y;
    Vec2 at = robot.position;
    for (int h = 0; h < kShape.steps(); ++h) {
      at += kTimeStep * speed * Vec2{random.normal(), random.normal()};
      y.push_back(at.x), y.push_back(at.y);
    }
    return y;
  }

  Forecast forecast;
  PathObjective objective;
  Random random;
  MovingDisc robot;
};

TEST(PathObjective, KeepsTheLawsOfObjectives) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Crowd crowd(seed);
    const Vector y = crowd.random_path(1.0);
    expect_gradient_is_slope(crowd.objective, y, 1e-5);
    expect_symmetric_and_positive(crowd.objective, y);
    expect_rows_agree(crowd.objective, y);
  }
}

TEST(PathObjective, ViolatesWherePeopleAreNearerThanTheSafeDistance) {
  Crowd free(3), safe(3, {.safe = 0.2});
  int violated = 0;
  for (int i = 0; i < 50; ++i) {
    const Vector y = safe.random_path(0.5);
    EXPECT_EQ(free.objective.violation(y), 0) << "there is no constraint by default";
    if (safe.objective.judge(y, 1e3, 1e9) > safe.objective.value(y) + 1) {
      EXPECT_GE(safe.objective.violation(y), 0.2);
    }
    violated += safe.objective.violation(y) > 0 ? 1 : 0;
  }
  EXPECT_GT(violated, 0);
}

TEST(PathObjective, JudgesByTheValueAndByTheFirstCollisionAndStopsWhereItIsTooDear) {
  int collided = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Crowd crowd(seed);
    const Vector y = crowd.random_path(0.7);
    const double value = crowd.objective.value(y), dear = crowd.objective.judge(y, 1e3, 1e9) - value;
    EXPECT_NEAR(crowd.objective.judge(y, 0, 1e9), value, 1e-9 * value);
    EXPECT_GT(crowd.objective.judge(y, 1e3, value / 2), value / 2);
    // (n/steps)² of the cost, n the steps from the collision on
    const double steps = kShape.steps() * std::sqrt(std::max(0.0, dear) / 1e3);
    EXPECT_NEAR(steps, std::round(steps), 1e-4);
    collided += steps > 0.5 ? 1 : 0;
  }
  EXPECT_GT(collided, 0);
  EXPECT_LT(collided, 20);
}

TEST(PathObjective, RemembersThePathThatWasAskedAboutButNotTheStepBefore) {
  Crowd crowd(3), other(3);
  const Vector y = crowd.random_path(0.5), z = crowd.random_path(0.5);
  const double of_y = other.objective.value(y);
  EXPECT_EQ(crowd.objective.value(z), crowd.objective.value(z));
  EXPECT_EQ(crowd.objective.value(y), of_y);
  MovingDisc nearer = crowd.robot;
  nearer.radius *= 2;
  crowd.objective.begin(nearer, kRobotGoal);
  other.objective.begin(nearer, kRobotGoal);
  EXPECT_EQ(crowd.objective.value(y), other.objective.value(y));
}

TEST(PathObjective, WithoutPeopleAndSpeedItsCurvatureIsTheSecondDerivative) {
  Crowd crowd(1, {.people = 0, .speed = 0});
  expect_curvature_is_hessian(crowd.objective, crowd.random_path(0.5));
}

}  // namespace
}  // namespace elastane::crowd
