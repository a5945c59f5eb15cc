#include "lab/navigation/objective.h"

#include <algorithm>
#include <cmath>

namespace elastane::navigation {

void PathObjective::begin(const ClearanceSource& obstacles, Vec2 goal, std::span<const float> proposed,
                          const Disturbance& disturbance) {
  obstacles_ = &obstacles;
  map_ = nullptr;
  goal_ = goal;
  disturbance_ = disturbance;
  for (int k = 0; k < kWaypoints; ++k) proposed_[k] = waypoint(proposed, k);
  fresh_ = false;
}

// slopes are by positions of the robot; gradient() applies the network's units and the drive's strength
void PathObjective::add(double value, int waypoint, Vec2 own, Vec2 before, Vec2 second) const {
  residuals_[count_++] = {value, waypoint, {own.x, own.y, before.x, before.y, second.x, second.y}};
}

void PathObjective::add_clearance(const Positions& position, int k) const {
  const double wanted = kBody + weights_.margin;
  const Clearance found = obstacles_->clearance(position[k]);
  if (!(found.distance < wanted)) return;
  add((wanted - found.distance) / weights_.clear, k, found.away * (-1 / weights_.clear));
}

// a leg is as long as the robot drives, but ends at the dock
void PathObjective::add_length(const Positions& position, int k) const {
  const Vec2 leg = position[k] - (k > 0 ? position[k - 1] : Vec2{});
  const double reach = kStride * kSpeed, length = norm(leg);
  const double possible = std::clamp(norm(goal_) - k * reach, 0.0, reach);
  if (!(length > 0)) return;
  const Vec2 slope = leg * (1 / (length * weights_.stride));
  add((length - possible) / weights_.stride, k, slope, slope * -1);
}

void PathObjective::add_bend(const Positions& position, int k) const {
  if (k == 0) return;
  const Vec2 before = k > 1 ? position[k - 2] : Vec2{}, off = position[k] - position[k - 1] * 2 + before;
  const double s = 1 / weights_.bend;
  add(off.x * s, k, {s, 0}, {-2 * s, 0}, {k > 1 ? s : 0, 0});
  add(off.y * s, k, {0, s}, {0, -2 * s}, {0, k > 1 ? s : 0});
}

// in commands, not in positions
void PathObjective::add_proposal(std::span<const double> y, int k) const {
  const Vec2 off = waypoint(y, k) - proposed_[k];
  const double s = 1 / (weights_.leave * disturbance_.strength);
  add(off.x / weights_.leave, k, {s, 0});
  add(off.y / weights_.leave, k, {0, s});
}

void PathObjective::add_goal(const Positions& position) const {
  if (weights_.goal <= 0) return;
  const Vec2 off = position[kWaypoints - 1] - goal_;
  const double far = norm(off);
  if (far > 0) add(far / weights_.goal, kWaypoints - 1, off * (1 / (far * weights_.goal)));
}

// every waypoint should be nearer home by the way driven so far
void PathObjective::add_progress(const Positions& position) const {
  if (map_ == nullptr || weights_.progress <= 0) return;
  const double here = map_->home({}).distance, reach = kStride * kSpeed;
  for (int k = 0; k < kWaypoints; ++k) {
    const HomeDistance::Value found = map_->home(position[k]);
    const double missing = found.distance - std::max(0.0, here - (k + 1) * reach);
    if (missing > 0) add(missing / weights_.progress, k, found.slope * (1 / weights_.progress));
  }
}

void PathObjective::evaluate(std::span<const double> y) const {
  if (fresh_ && std::equal(evaluated_.begin(), evaluated_.end(), y.begin())) return;
  std::copy_n(y.begin(), kPath, evaluated_.begin());
  fresh_ = true;
  count_ = 0;
  Positions position;
  for (int k = 0; k < kWaypoints; ++k) {
    position[k] = waypoint(y, k) * disturbance_.strength + disturbance_.wind * ((k + 1.0) * kStride);
  }
  for (int k = 0; k < kWaypoints; ++k) {
    add_clearance(position, k);
    add_length(position, k);
    add_bend(position, k);
    add_proposal(y, k);
  }
  add_goal(position);
  add_progress(position);
}

double PathObjective::value(std::span<const double> y) const {
  evaluate(y);
  double sum = 0;
  for (int i = 0; i < count_; ++i) sum += residuals_[i].value * residuals_[i].value;
  return sum / 2;
}

void PathObjective::gradient(std::span<const double> y, std::span<double> gradient) const {
  evaluate(y);
  std::ranges::fill(gradient, 0.0);
  const double unit = kPathUnit * disturbance_.strength;
  for (int i = 0; i < count_; ++i) {
    const Residual& r = residuals_[i];
    for (int j = 0, waypoints = std::min(r.waypoint + 1, 3); j < waypoints; ++j) {
      gradient[2 * (r.waypoint - j)] += r.value * r.slope[2 * j] * unit;
      gradient[2 * (r.waypoint - j) + 1] += r.value * r.slope[2 * j + 1] * unit;
    }
  }
}

void PathObjective::gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const {
  evaluate(y);
  const double unit = kPathUnit * disturbance_.strength;
  for (int c = 0; c < directions.count; ++c) {
    std::array<double, kPath> u;  // read before written: the rows may be the same
    std::copy_n(directions[c], kPath, u.begin());
    double* w = products[c];
    std::fill_n(w, y.size(), 0.0);
    for (int i = 0; i < count_; ++i) {
      const Residual& r = residuals_[i];
      const int waypoints = std::min(r.waypoint + 1, 3);
      double along = 0;
      for (int j = 0; j < waypoints; ++j) {
        along += r.slope[2 * j] * u[2 * (r.waypoint - j)] + r.slope[2 * j + 1] * u[2 * (r.waypoint - j) + 1];
      }
      along *= unit * unit;
      for (int j = 0; j < waypoints; ++j) {
        w[2 * (r.waypoint - j)] += along * r.slope[2 * j];
        w[2 * (r.waypoint - j) + 1] += along * r.slope[2 * j + 1];
      }
    }
  }
}

}  // namespace elastane::navigation
