#include "lab/navigation/planner_agents.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace elastane::navigation {
namespace {

constexpr double kReach = kStride * kSpeed;  // from stop to stop

Point as_point(std::span<const double> x) { return {x[0], x[1]}; }

}  // namespace

void StopToStop::step(std::span<const double> x, std::span<const double> u, std::span<double> next) const {
  for (std::size_t i = 0; i < 2; ++i) next[i] = x[i] + u[i];
}

void StopToStop::linearise(std::span<const double>, std::span<const double>, DoubleRows a, DoubleRows b) const {
  for (int i = 0; i < 2; ++i) a[i][i] = b[i][i] = 1;
}

void StopCost::look(const RayView& view, Point goal, std::span<const Point> proposed) {
  view_ = &view;
  goal_ = goal;
  proposed_ = proposed;
}

// a place is judged when it is reached, a leg when it is driven
double StopCost::value(int h, std::span<const double> x, std::span<const double> u) const {
  double sum = 0;
  if (h > 0) {
    const Point p = as_point(x), off = p - proposed_[static_cast<std::size_t>(h - 1)];
    sum += dot(off, off) / (tastes_.leave * tastes_.leave);
    const double missing = std::max(0.0, kBody + tastes_.margin - view_->room(p).distance) / tastes_.clear;
    sum += missing * missing;
    if (u.empty() && tastes_.goal > 0) sum += dot(p - goal_, p - goal_) / (tastes_.goal * tastes_.goal);
  }
  if (!u.empty()) {
    const double possible = std::clamp(norm(goal_) - h * kReach, 0.0, kReach);
    sum += std::pow((norm(as_point(u)) - possible) / tastes_.stride, 2);
  }
  return sum / 2;
}

void StopCost::expand(int h, std::span<const double> x, std::span<const double> u,
                      const planners::CostExpansion& to) const {
  // a residual along a direction: r and its slope
  const auto add = [](double r, Point slope, std::span<double> gradient, DoubleRows hessian) {
    const double s[] = {slope.x, slope.y};
    for (int i = 0; i < 2; ++i) {
      gradient[static_cast<std::size_t>(i)] += r * s[i];
      for (int j = 0; j < 2; ++j) hessian[i][j] += s[i] * s[j];
    }
  };
  const auto add_place = [&](Point off, double tolerance) {
    add(off.x / tolerance, {1 / tolerance, 0}, to.x, to.xx);
    add(off.y / tolerance, {0, 1 / tolerance}, to.x, to.xx);
  };
  if (h > 0) {
    const Point p = as_point(x);
    add_place(p - proposed_[static_cast<std::size_t>(h - 1)], tastes_.leave);
    if (const Room room = view_->room(p); room.distance < kBody + tastes_.margin) {
      add((kBody + tastes_.margin - room.distance) / tastes_.clear, room.away * (-1 / tastes_.clear), to.x, to.xx);
    }
    if (u.empty() && tastes_.goal > 0) add_place(p - goal_, tastes_.goal);
  }
  if (!u.empty()) {
    const Point leg = as_point(u);
    const double length = norm(leg), possible = std::clamp(norm(goal_) - h * kReach, 0.0, kReach);
    if (length > 0) add((length - possible) / tastes_.stride, leg * (1 / (length * tastes_.stride)), to.u, to.uu);
  }
}

SweepAgent::SweepAgent(const Model& policy, const planners::IlqrOptions& options, const WayTastes& tastes)
    : FrozenAgent(policy), cost_(tastes), planner_(options, 2, 2), controls_(options.horizon, 2) {}

Point SweepAgent::act(const Sight& sight) {
  FrozenAgent::act(sight);
  cost_.look(view_, sight.goal, way_);
  for (int h = 0; h < controls_.rows(); ++h) {
    const auto k = static_cast<std::size_t>(h);
    const Point leg = h > 0 ? way_[k] - way_[k - 1] : way_[0];
    controls_.row(h)[0] = leg.x;
    controls_.row(h)[1] = leg.y;
  }
  const double here[] = {0, 0};
  const planners::IlqrReport sweeps = planner_.improve(StopToStop{}, cost_, here, controls_.view());
  report_.depth = sweeps.sweeps;
  report_.accepted = sweeps.accepted;
  report_.loss_before = sweeps.cost_before;
  report_.loss_after = sweeps.cost_after;
  for (int h = 0; h < controls_.rows(); ++h) {
    way_[static_cast<std::size_t>(h)] = as_point(planner_.states().row(h + 1));
  }
  return at_most(way_[0] * (1.0 / kStride), kSpeed);
}

FlowAgent::FlowAgent(const Model& policy, const FlowOptions& options)
    : FrozenAgent(policy), options_(options), flow_({}, 2, 2) {}

void FlowAgent::begin() {
  FrozenAgent::begin();
  velocity_ = {};
}

// in units of the network's way, so that gains are of the size that the source gives
Point FlowAgent::act(const Sight& sight) {
  FrozenAgent::act(sight);
  const double here[] = {0, 0};
  const std::array velocity = {velocity_.x / kSpeed, velocity_.y / kSpeed};
  const Point target = way_[static_cast<std::size_t>(options_.target)] * (1 / kWayUnit);
  const std::array goal = {target.x, target.y};
  flow_.begin(here, velocity);
  flow_.add(planners::IdentityMap(2), planners::GoalAttractor(goal, options_.goal));
  for (int i = 0; i < kRays; ++i) {
    const Point hit = view_.hit(i) * (1 / kWayUnit);
    const std::array centre = {hit.x, hit.y};
    if (view_.has_hit(i)) {
      flow_.add(planners::DistanceMap(centre, kBody / kWayUnit), planners::ObstacleRepulsion(options_.obstacle));
    }
  }
  std::array<double, 2> pull = {};
  flow_.resolve(pull);
  velocity_ = at_most(velocity_ + Point{pull[0], pull[1]} * (0.5 * kSpeed), kSpeed);
  return velocity_;
}

}  // namespace elastane::navigation
