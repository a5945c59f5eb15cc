#include "lab/navigation/planner_agents.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace elastane::navigation {
namespace {

constexpr double kReach = kStride * kSpeed;  // from waypoint to waypoint

Vec2 as_point(std::span<const double> x) { return {x[0], x[1]}; }

}  // namespace

void WaypointDynamics::step(std::span<const double> x, std::span<const double> u, std::span<double> next) const {
  for (std::size_t i = 0; i < 2; ++i) next[i] = x[i] + u[i];
}

void WaypointDynamics::linearise(std::span<const double>, std::span<const double>, DoubleRows a, DoubleRows b) const {
  for (int i = 0; i < 2; ++i) a[i][i] = b[i][i] = 1;
}

void WaypointCost::begin(const ClearanceSource& obstacles, Vec2 goal, std::span<const Vec2> proposed,
                         const HomeDistance* map) {
  obstacles_ = &obstacles;
  map_ = weights_.progress > 0 ? map : nullptr;
  goal_ = goal;
  home_ = map_ != nullptr ? map_->home({}).distance : 0;
  proposed_ = proposed;
}

HomeDistance::Value WaypointCost::missing_progress(int h, Vec2 p) const {
  if (map_ == nullptr) return {};
  const HomeDistance::Value found = map_->home(p);
  const double missing = found.distance - std::max(0.0, home_ - h * kReach);
  if (missing <= 0) return {};
  return {missing / weights_.progress, found.slope * (1 / weights_.progress)};
}

// a waypoint is judged when it is reached, a leg when it is driven
double WaypointCost::value(int h, std::span<const double> x, std::span<const double> u) const {
  double sum = 0;
  if (h > 0) {
    const Vec2 p = as_point(x), off = p - proposed_[static_cast<std::size_t>(h - 1)];
    sum += dot(off, off) / (weights_.leave * weights_.leave);
    const double missing = std::max(0.0, kBody + weights_.margin - obstacles_->clearance(p).distance) / weights_.clear;
    sum += missing * missing;
    if (u.empty() && weights_.goal > 0) sum += dot(p - goal_, p - goal_) / (weights_.goal * weights_.goal);
    sum += std::pow(missing_progress(h, p).distance, 2);
  }
  if (!u.empty()) {
    const double possible = std::clamp(norm(goal_) - h * kReach, 0.0, kReach);
    sum += std::pow((norm(as_point(u)) - possible) / weights_.stride, 2);
  }
  return sum / 2;
}

void WaypointCost::expand(int h, std::span<const double> x, std::span<const double> u,
                          const planners::CostExpansion& to) const {
  // a residual r and its slope
  const auto add = [](double r, Vec2 slope, std::span<double> gradient, DoubleRows hessian) {
    const double s[] = {slope.x, slope.y};
    for (int i = 0; i < 2; ++i) {
      gradient[static_cast<std::size_t>(i)] += r * s[i];
      for (int j = 0; j < 2; ++j) hessian[i][j] += s[i] * s[j];
    }
  };
  const auto add_position = [&](Vec2 off, double tolerance) {
    add(off.x / tolerance, {1 / tolerance, 0}, to.x, to.xx);
    add(off.y / tolerance, {0, 1 / tolerance}, to.x, to.xx);
  };
  if (h > 0) {
    const Vec2 p = as_point(x);
    add_position(p - proposed_[static_cast<std::size_t>(h - 1)], weights_.leave);
    if (const Clearance found = obstacles_->clearance(p); found.distance < kBody + weights_.margin) {
      add((kBody + weights_.margin - found.distance) / weights_.clear, found.away * (-1 / weights_.clear), to.x, to.xx);
    }
    if (u.empty() && weights_.goal > 0) add_position(p - goal_, weights_.goal);
    const HomeDistance::Value missing = missing_progress(h, p);
    if (missing.distance > 0) add(missing.distance, missing.slope, to.x, to.xx);
  }
  if (!u.empty()) {
    const Vec2 leg = as_point(u);
    const double length = norm(leg), possible = std::clamp(norm(goal_) - h * kReach, 0.0, kReach);
    if (length > 0) add((length - possible) / weights_.stride, leg * (1 / (length * weights_.stride)), to.u, to.uu);
  }
}

PathSweep::PathSweep(const planners::IlqrOptions& options, const CostWeights& weights)
    : cost_(weights), planner_(options, 2, 2), controls_(options.horizon, 2) {}

planners::IlqrReport PathSweep::improve(const ClearanceSource& obstacles, Vec2 goal, std::span<Vec2> path,
                                        const HomeDistance* map) {
  cost_.begin(obstacles, goal, path, map);
  for (int h = 0; h < controls_.rows(); ++h) {
    const auto k = static_cast<std::size_t>(h);
    const Vec2 leg = h > 0 ? path[k] - path[k - 1] : path[0];
    controls_.row(h)[0] = leg.x;
    controls_.row(h)[1] = leg.y;
  }
  const double here[] = {0, 0};
  const planners::IlqrReport sweeps = planner_.improve(WaypointDynamics{}, cost_, here, controls_.view());
  for (int h = 0; h < controls_.rows(); ++h) {
    path[static_cast<std::size_t>(h)] = as_point(planner_.states().row(h + 1));
  }
  return sweeps;
}

void report_sweeps(const planners::IlqrReport& sweeps, StepReport& report) {
  report.depth = sweeps.sweeps;
  report.accepted = sweeps.accepted;
  report.loss_before = sweeps.cost_before;
  report.loss_after = sweeps.cost_after;
}

SweepAgent::SweepAgent(const Model& policy, const planners::IlqrOptions& options, const CostWeights& weights)
    : FrozenAgent(policy), sweep_(options, weights) {}

Vec2 SweepAgent::act(const Observation& observation) {
  FrozenAgent::act(observation);
  report_sweeps(sweep_.improve(obstacles_, observation.goal, path_), report_);
  return limited(path_[0] * (1.0 / kStride), kSpeed);
}

FlowAgent::FlowAgent(const Model& policy, const FlowOptions& options)
    : FrozenAgent(policy), options_(options), flow_({}, 2, 2) {}

void FlowAgent::begin() {
  FrozenAgent::begin();
  velocity_ = {};
}

// in the network's units of a path, so that the published gains apply
Vec2 FlowAgent::act(const Observation& observation) {
  FrozenAgent::act(observation);
  const double here[] = {0, 0};
  const std::array velocity = {velocity_.x / kSpeed, velocity_.y / kSpeed};
  const Vec2 target = path_[static_cast<std::size_t>(options_.target)] * (1 / kPathUnit);
  const std::array goal = {target.x, target.y};
  flow_.begin(here, velocity);
  flow_.add(planners::IdentityMap(2), planners::GoalAttractor(goal, options_.goal));
  for (int i = 0; i < kRays; ++i) {
    const Vec2 hit = obstacles_.hit(i) * (1 / kPathUnit);
    const std::array centre = {hit.x, hit.y};
    if (obstacles_.has_hit(i)) {
      flow_.add(planners::DistanceMap(centre, kBody / kPathUnit), planners::ObstacleRepulsion(options_.obstacle));
    }
  }
  std::array<double, 2> pull = {};
  flow_.resolve(pull);
  velocity_ = limited(velocity_ + Vec2{pull[0], pull[1]} * (0.5 * kSpeed), kSpeed);
  return velocity_;
}

}  // namespace elastane::navigation
