#include "lab/crowd/objective.h"

#include <algorithm>
#include <cmath>

namespace elastane::crowd {
namespace {

constexpr double kGoalSoftness = 0.3;  // ε
constexpr double kFar = 1e6;           // a gap too large to matter

void add(std::span<double> to, int h, Vec2 what) {
  to[static_cast<std::size_t>(2 * h)] += what.x;
  to[static_cast<std::size_t>(2 * h + 1)] += what.y;
}

}  // namespace

// the person keeps its velocity, since that is how collisions are judged
PathObjective::Encounter PathObjective::meet(std::span<const double> y, int h, std::size_t person) const {
  const MovingDisc& other = forecast_.at(h, person);
  const Vec2 apart = position(y, h) - other.position;
  const Vec2 moved = position(y, h + 1) - position(y, h) - kTimeStep * other.velocity;
  const double squares = dot(moved, moved), reach = other.radius + robot_.radius + margin(h);
  if (dot(apart, apart) > 2 * (squares + reach * reach)) return {kFar, 0, {}};  // (a + b)² ≤ 2(a² + b²): surely too far
  const double share = squares > 0 ? std::clamp(-dot(apart, moved) / squares, 0.0, 1.0) : 0.0;
  const Vec2 nearest = apart + share * moved;
  return {norm(nearest) - other.radius - robot_.radius, share, direction(nearest)};
}

bool PathObjective::collides(std::span<const double> y, int h) const {
  for (std::size_t i = 0; i < forecast_.people(); ++i) {
    if (meet(y, h, i).gap < 0) return true;
  }
  return false;
}

double PathObjective::violation(std::span<const double> y) const {
  if (weights_.safe < 0) return 0;
  double sum = 0;
  for (int h = 0; h < steps_; ++h) {
    for (std::size_t i = 0; i < forecast_.people(); ++i) sum += std::max(0.0, weights_.safe - meet(y, h, i).gap);
  }
  return sum;
}

double PathObjective::value(std::span<const double> y) const {
  double sum = 0;
  for (int h = 0; h < steps_; ++h) {
    const Vec2 off = position(y, h + 1) - goal_, change = velocity(y, h) - velocity(y, h - 1);
    sum += goal_weight(h) * std::sqrt(dot(off, off) + kGoalSoftness * kGoalSoftness);
    const double fast = std::max(0.0, norm(velocity(y, h)) - kSpeedLimit);
    sum += 0.5 * weights_.speed * fast * fast + 0.5 * weights_.smoothness * dot(change, change);
    for (std::size_t i = 0; i < forecast_.people(); ++i) {
      const double below = std::max(0.0, margin(h) - meet(y, h, i).gap);
      sum += 0.5 * weights_.people * below * below;
    }
  }
  return sum;
}

void PathObjective::gradient(std::span<const double> y, std::span<double> gradient) const {
  std::ranges::fill(gradient, 0.0);
  // the velocity of step h depends on both of its positions
  const auto add_velocity = [&](int h, Vec2 pull) {
    if (h < 0) return;
    add(gradient, h, (1 / kTimeStep) * pull);
    if (h > 0) add(gradient, h - 1, (-1 / kTimeStep) * pull);
  };
  for (int h = 0; h < steps_; ++h) {
    const Vec2 off = position(y, h + 1) - goal_, v = velocity(y, h), change = v - velocity(y, h - 1);
    add(gradient, h, (goal_weight(h) / std::sqrt(dot(off, off) + kGoalSoftness * kGoalSoftness)) * off);
    const double fast = std::max(0.0, norm(v) - kSpeedLimit);
    add_velocity(h, weights_.speed * fast * direction(v) + weights_.smoothness * change);
    add_velocity(h - 1, -weights_.smoothness * change);
    for (std::size_t i = 0; i < forecast_.people(); ++i) {
      const Encounter met = meet(y, h, i);
      const double below = margin(h) - met.gap;
      if (below <= 0) continue;
      add(gradient, h, -weights_.people * below * met.share * met.away);
      if (h > 0) add(gradient, h - 1, -weights_.people * below * (1 - met.share) * met.away);
    }
  }
}

void PathObjective::curve(std::span<const double> y, Curvature& w) const {
  constexpr double kRate = 1 / kTimeStep;
  for (int h = 0; h < steps_; ++h) {
    const auto at = static_cast<std::size_t>(h);
    // f·nnᵀ for the sum a·(this position) + b·(the one before)
    const auto add_pair = [&](double f, Vec2 n, double a, double b) {
      w.own[at].add(f * a * a, n);
      if (h == 0) return;
      w.own[at - 1].add(f * b * b, n);
      w.before[at].add(f * a * b, n);
    };
    const Vec2 off = position(y, h + 1) - goal_, v = velocity(y, h);
    const double root = std::sqrt(dot(off, off) + kGoalSoftness * kGoalSoftness), weight = goal_weight(h) / root;
    w.own[at].add(weight, {1, 0}), w.own[at].add(weight, {0, 1}), w.own[at].add(-weight / (root * root), off);
    const double speed = norm(v);
    if (speed > kSpeedLimit) add_pair(weights_.speed, direction(v), kRate, -kRate);
    for (std::size_t i = 0; i < forecast_.people(); ++i) {
      const Encounter met = meet(y, h, i);
      if (met.gap < margin(h)) add_pair(weights_.people, met.away, met.share, 1 - met.share);
    }
  }
}

void PathObjective::gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const {
  Curvature w{};
  curve(y, w);
  std::array<Vec2, kMostSteps + 2> u{};  // the two positions before the first are fixed
  for (int r = 0; r < directions.count; ++r) {
    for (int h = 0; h < steps_; ++h)
      u[static_cast<std::size_t>(h) + 2] = {directions[r][2 * h], directions[r][2 * h + 1]};
    const std::span<double> out{products[r], y.size()};
    std::ranges::fill(out, 0.0);
    for (int h = 0; h < steps_; ++h) {
      const auto at = static_cast<std::size_t>(h);
      add(out, h, w.own[at].times(u[at + 2]));
      // velocities change by (u_h − 2u_{h−1} + u_{h−2})/Δt
      const Vec2 pull = (weights_.smoothness / (kTimeStep * kTimeStep)) * (u[at + 2] - 2 * u[at + 1] + u[at]);
      add(out, h, pull);
      if (h > 0) {
        add(out, h, w.before[at].times(u[at + 1]));
        add(out, h - 1, w.before[at].times(u[at + 2]) - 2 * pull);
      }
      if (h > 1) add(out, h - 2, pull);
    }
  }
}

}  // namespace elastane::crowd
