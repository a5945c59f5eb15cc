#include "lab/crowd/objective.h"

#include <algorithm>
#include <cmath>

namespace elastane::crowd {
namespace {

constexpr double kGoalSoftness = 0.3;  // ε

void add(std::span<double> to, int h, Vec2 what) {
  to[static_cast<std::size_t>(2 * h)] += what.x;
  to[static_cast<std::size_t>(2 * h + 1)] += what.y;
}

}  // namespace

PathObjective::PathObjective(const CostWeights& weights, int steps, const Forecast& forecast)
    : weights_(weights),
      steps_(steps),
      forecast_(forecast),
      met_(static_cast<std::size_t>(steps) * forecast.people()) {}

// the person keeps its velocity, since that is how collisions are judged
template <class Visit>
void PathObjective::meet(std::span<const double> y, int h, Visit visit) const {
  const Vec2 from = position(y, h), driven = position(y, h + 1) - from;
  const double near = std::max({margin(h), weights_.safe, 0.0});
  for (std::size_t i = 0; i < forecast_.people(); ++i) {
    const MovingDisc& other = forecast_.at(h, i);
    const Vec2 apart = from - other.position, moved = driven - kTimeStep * other.velocity;
    const double squares = dot(moved, moved), bodies = other.radius + robot_.radius, reach = bodies + near;
    if (dot(apart, apart) > 2 * (squares + reach * reach)) continue;  // (a + b)² ≤ 2(a² + b²): surely too far
    const double share = squares > 0 ? std::clamp(-dot(apart, moved) / squares, 0.0, 1.0) : 0.0;
    const Vec2 nearest = apart + share * moved;
    if (dot(nearest, nearest) >= reach * reach) continue;
    visit(Encounter{h, norm(nearest) - bodies, share, direction(nearest)});
  }
}

std::span<const PathObjective::Encounter> PathObjective::encounters(std::span<const double> y) const {
  if (!known_ || !std::equal(y.begin(), y.end(), path_.begin())) {
    std::ranges::copy(y, path_.begin());
    known_ = true;
    met_count_ = 0;
    for (int h = 0; h < steps_; ++h) {
      meet(y, h, [&](const Encounter& met) { met_[met_count_++] = met; });
    }
  }
  return std::span(met_).first(met_count_);
}

double PathObjective::step_cost(std::span<const double> y, int h) const {
  const Vec2 off = position(y, h + 1) - goal_, v = velocity(y, h), change = v - velocity(y, h - 1);
  const double fast = std::max(0.0, norm(v) - kSpeedLimit);
  return goal_weight(h) * std::sqrt(dot(off, off) + kGoalSoftness * kGoalSoftness) +
         0.5 * weights_.speed * fast * fast + 0.5 * weights_.smoothness * dot(change, change);
}

double PathObjective::person_cost(const Encounter& met) const {
  const double below = std::max(0.0, margin(met.step) - met.gap);
  return 0.5 * weights_.people * below * below;
}

double PathObjective::judge(std::span<const double> y, double collision, double most) const {
  double sum = 0;
  bool collided = false;
  for (int h = 0; h < steps_ && sum <= most; ++h) {
    sum += step_cost(y, h);
    meet(y, h, [&](const Encounter& met) {
      sum += person_cost(met);
      if (met.gap >= 0 || collided) return;
      collided = true;
      const double share = static_cast<double>(steps_ - h) / steps_;
      sum += collision * share * share;
    });
  }
  return sum;
}

double PathObjective::violation(std::span<const double> y) const {
  if (weights_.safe < 0) return 0;
  double sum = 0;
  for (const Encounter& met : encounters(y)) sum += std::max(0.0, weights_.safe - met.gap);
  return sum;
}

double PathObjective::value(std::span<const double> y) const {
  double sum = 0;
  for (int h = 0; h < steps_; ++h) sum += step_cost(y, h);
  for (const Encounter& met : encounters(y)) sum += person_cost(met);
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
  }
  for (const Encounter& met : encounters(y)) {
    const double below = margin(met.step) - met.gap;
    if (below <= 0) continue;
    add(gradient, met.step, -weights_.people * below * met.share * met.away);
    if (met.step > 0) add(gradient, met.step - 1, -weights_.people * below * (1 - met.share) * met.away);
  }
}

void PathObjective::curve(std::span<const double> y, Curvature& w) const {
  constexpr double kRate = 1 / kTimeStep;
  // f·nnᵀ for the sum a·(position h) + b·(the one before)
  const auto add_pair = [&](int h, double f, Vec2 n, double a, double b) {
    const auto at = static_cast<std::size_t>(h);
    w.own[at].add(f * a * a, n);
    if (h == 0) return;
    w.own[at - 1].add(f * b * b, n);
    w.before[at].add(f * a * b, n);
  };
  for (int h = 0; h < steps_; ++h) {
    const auto at = static_cast<std::size_t>(h);
    const Vec2 off = position(y, h + 1) - goal_, v = velocity(y, h);
    const double root = std::sqrt(dot(off, off) + kGoalSoftness * kGoalSoftness), weight = goal_weight(h) / root;
    w.own[at].add(weight, {1, 0}), w.own[at].add(weight, {0, 1}), w.own[at].add(-weight / (root * root), off);
    const double speed = norm(v);
    if (speed > kSpeedLimit) add_pair(h, weights_.speed, direction(v), kRate, -kRate);
  }
  for (const Encounter& met : encounters(y)) {
    if (met.gap < margin(met.step)) add_pair(met.step, weights_.people, met.away, met.share, 1 - met.share);
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
