// Ready leaves of RMPflow: attraction to a goal, repulsion from an obstacle, damping; and the task maps they need.
#pragma once

#include <span>

#include "elastane/planners/rmpflow.h"

namespace elastane::planners {

// x = q
class IdentityMap final : public TaskMap {
 public:
  explicit IdentityMap(int coordinates) : d_(coordinates) {}
  int tasks() const override { return d_; }
  void map(std::span<const double> q, std::span<const double> velocity, std::span<double> x, DoubleRows jacobian,
           std::span<double> curvature) const override;

 private:
  int d_;
};

// x = ‖q − centre‖ − radius, of one dimension: the distance from a point to a ball. The centre is viewed, not copied.
class DistanceMap final : public TaskMap {
 public:
  DistanceMap(std::span<const double> centre, double radius) : centre_(centre), radius_(radius) {}
  int tasks() const override { return 1; }
  void map(std::span<const double> q, std::span<const double> velocity, std::span<double> x, DoubleRows jacobian,
           std::span<double> curvature) const override;

 private:
  std::span<const double> centre_;
  double radius_;
};

// a = −k_p s(x − goal) − k_d ẋ, with s the direction to the goal, softened to a spring near it. The goal is viewed.
struct GoalOptions {
  double gain = 2.0;      // k_p: GeoSSM's range is 1 to 5
  double damping = 0.3;   // k_d: .1 to .5
  double softness = 0.1;  // distance at which the pull begins to fade
  double weight = 1.0;    // M = weight·I
};
class GoalAttractor final : public MotionPolicy {
 public:
  explicit GoalAttractor(std::span<const double> goal, const GoalOptions& options = {})
      : goal_(goal), options_(options) {}
  void evaluate(std::span<const double> x, std::span<const double> velocity, DoubleRows metric,
                std::span<double> force) const override;

 private:
  std::span<const double> goal_;
  GoalOptions options_;
};

// On a distance x: a geometric dynamical system whose metric grows near an obstacle, and only while the distance
// shrinks, so that passing by is not affected. (Cheng et al., §III-E)
//   w = (scale/x)⁴,  g = w(ε + min(0, ẋ)ẋ),  M = g + ½ẋ ∂g/∂ẋ,  f = −∇Φ − ½ẋ²(ε + min(0, ẋ)ẋ) w′ − η g ẋ,  Φ = ½α w²
struct ObstacleOptions {
  double scale = 0.2;     // distance at which w = 1
  double still = 0.2;     // ε: the importance of an obstacle at rest
  double push = 0.05;     // α
  double damping = 0.5;   // η
  double nearest = 0.02;  // smaller distances, and negative ones, count as this
};
class ObstacleRepulsion final : public MotionPolicy {
 public:
  explicit ObstacleRepulsion(const ObstacleOptions& options = {}) : options_(options) {}
  void evaluate(std::span<const double> x, std::span<const double> velocity, DoubleRows metric,
                std::span<double> force) const override;

 private:
  ObstacleOptions options_;
};

// a = −rate·ẋ, with M = weight·I
class Damping final : public MotionPolicy {
 public:
  explicit Damping(double rate, double weight = 1.0) : rate_(rate), weight_(weight) {}
  void evaluate(std::span<const double> x, std::span<const double> velocity, DoubleRows metric,
                std::span<double> force) const override;

 private:
  double rate_, weight_;
};

}  // namespace elastane::planners
