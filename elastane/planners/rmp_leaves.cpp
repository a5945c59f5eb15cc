#include "elastane/planners/rmp_leaves.h"

#include <algorithm>
#include <cmath>

namespace elastane::planners {

void IdentityMap::map(std::span<const double> q, std::span<const double> /*velocity*/, std::span<double> x,
                      DoubleRows jacobian, std::span<double> /*curvature*/) const {
  std::ranges::copy(q, x.begin());
  for (int i = 0; i < d_; ++i) jacobian[i][i] = 1;
}

void DistanceMap::map(std::span<const double> q, std::span<const double> velocity, std::span<double> x,
                      DoubleRows jacobian, std::span<double> curvature) const {
  double squares = 0, speed = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    squares += (q[i] - centre_[i]) * (q[i] - centre_[i]);
    speed += velocity[i] * velocity[i];
  }
  const double away = std::sqrt(squares);
  x[0] = away - radius_;
  if (!(away > 0)) return;  // at the centre there is no direction out
  double approach = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    jacobian[0][i] = (q[i] - centre_[i]) / away;  // J = nᵀ
    approach += jacobian[0][i] * velocity[i];
  }
  curvature[0] = (speed - approach * approach) / away;  // J̇q̇ = (‖q̇‖² − (nᵀq̇)²)/‖q − c‖
}

void GoalAttractor::evaluate(std::span<const double> x, std::span<const double> velocity, DoubleRows metric,
                             std::span<double> force) const {
  double squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) squares += (x[i] - goal_[i]) * (x[i] - goal_[i]);
  const double distance = std::sqrt(squares);
  // tanh(r/ℓ)/r, which is 1/ℓ at the goal
  const double pull = distance > 0 ? std::tanh(distance / options_.softness) / distance : 1 / options_.softness;
  for (std::size_t i = 0; i < x.size(); ++i) {
    metric[static_cast<int>(i)][i] = options_.weight;
    force[i] = -options_.weight * (options_.gain * pull * (x[i] - goal_[i]) + options_.damping * velocity[i]);
  }
}

void ObstacleRepulsion::evaluate(std::span<const double> x, std::span<const double> velocity, DoubleRows metric,
                                 std::span<double> force) const {
  const double distance = std::max(x[0], options_.nearest), speed = velocity[0];
  const double near = std::pow(options_.scale / distance, 4);  // w
  const double near_slope = -4 * near / distance;              // w′
  const double nearing = std::min(0.0, speed);
  const double matters = options_.still + nearing * speed;  // ε + min(0, ẋ)ẋ, whose slope is 2 min(0, ẋ)
  metric[0][0] = near * matters + speed * near * nearing;   // M = g + ½ẋ ∂g/∂ẋ
  force[0] = -options_.push * near * near_slope             // −∇Φ
             - 0.5 * speed * speed * matters * near_slope   // −ξ
             - options_.damping * near * matters * speed;   // −η g ẋ
}

void Damping::evaluate(std::span<const double> x, std::span<const double> velocity, DoubleRows metric,
                       std::span<double> force) const {
  for (std::size_t i = 0; i < x.size(); ++i) {
    metric[static_cast<int>(i)][i] = weight_;
    force[i] = -weight_ * rate_ * velocity[i];
  }
}

}  // namespace elastane::planners
