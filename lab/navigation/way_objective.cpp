#include "lab/navigation/way_objective.h"

#include <algorithm>
#include <cmath>

namespace elastane::navigation {

void WayObjective::look(const RayView& view, Point goal, std::span<const float> proposed, const Air& air) {
  view_ = &view;
  goal_ = goal;
  air_ = air;
  for (int k = 0; k < kStops; ++k) proposed_[k] = stop(proposed, k);
  fresh_ = false;
}

// slopes are by the robot's places; the network's units and the drive's strength come on top
void WayObjective::add(double value, int stop, Point own, Point before, Point second) const {
  residuals_[count_++] = {value, stop, {own.x, own.y, before.x, before.y, second.x, second.y}};
}

void WayObjective::read(std::span<const double> y) const {
  if (fresh_ && std::equal(read_.begin(), read_.end(), y.begin())) return;
  std::copy_n(y.begin(), kWay, read_.begin());
  fresh_ = true;
  count_ = 0;
  std::array<Point, kStops> place;
  for (int k = 0; k < kStops; ++k) place[k] = stop(y, k) * air_.strength + air_.wind * ((k + 1.0) * kStride);
  const double wanted = kBody + tastes_.margin;
  for (int k = 0; k < kStops; ++k) {
    const Point last = k > 0 ? place[k - 1] : Point{};
    // room
    if (const Room room = view_->room(place[k]); room.distance < wanted) {
      add((wanted - room.distance) / tastes_.clear, k, room.away * (-1 / tastes_.clear));
    }
    // length: no farther than the dock
    const Point leg = place[k] - last;
    const double reach = kStride * kSpeed, length = norm(leg);
    const double possible = std::clamp(norm(goal_) - k * reach, 0.0, reach);
    if (length > 0) {
      const Point slope = leg * (1 / (length * tastes_.stride));
      add((length - possible) / tastes_.stride, k, slope, slope * -1);
    }
    // bend
    if (k > 0) {
      const Point before = k > 1 ? place[k - 2] : Point{}, off = place[k] - last * 2 + before;
      const double s = 1 / tastes_.bend;
      add(off.x * s, k, {s, 0}, {-2 * s, 0}, {k > 1 ? s : 0, 0});
      add(off.y * s, k, {0, s}, {0, -2 * s}, {0, k > 1 ? s : 0});
    }
    // the proposal, in commands
    const Point off = stop(y, k) - proposed_[k];
    const double s = 1 / (tastes_.leave * air_.strength);
    add(off.x / tastes_.leave, k, {s, 0});
    add(off.y / tastes_.leave, k, {0, s});
  }
  if (tastes_.goal > 0) {
    const Point off = place[kStops - 1] - goal_;
    const double far = norm(off);
    if (far > 0) add(far / tastes_.goal, kStops - 1, off * (1 / (far * tastes_.goal)));
  }
}

double WayObjective::value(std::span<const double> y) const {
  read(y);
  double sum = 0;
  for (int i = 0; i < count_; ++i) sum += residuals_[i].value * residuals_[i].value;
  return sum / 2;
}

void WayObjective::gradient(std::span<const double> y, std::span<double> gradient) const {
  read(y);
  std::ranges::fill(gradient, 0.0);
  const double unit = kWayUnit * air_.strength;
  for (int i = 0; i < count_; ++i) {
    const Residual& r = residuals_[i];
    for (int j = 0, stops = std::min(r.stop + 1, 3); j < stops; ++j) {
      gradient[2 * (r.stop - j)] += r.value * r.slope[2 * j] * unit;
      gradient[2 * (r.stop - j) + 1] += r.value * r.slope[2 * j + 1] * unit;
    }
  }
}

void WayObjective::gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const {
  read(y);
  const double unit = kWayUnit * air_.strength;
  for (int c = 0; c < directions.count; ++c) {
    std::array<double, kWay> u;  // read before written: the rows may be the same
    std::copy_n(directions[c], kWay, u.begin());
    double* w = products[c];
    std::fill_n(w, y.size(), 0.0);
    for (int i = 0; i < count_; ++i) {
      const Residual& r = residuals_[i];
      const int stops = std::min(r.stop + 1, 3);
      double along = 0;
      for (int j = 0; j < stops; ++j) {
        along += r.slope[2 * j] * u[2 * (r.stop - j)] + r.slope[2 * j + 1] * u[2 * (r.stop - j) + 1];
      }
      along *= unit * unit;
      for (int j = 0; j < stops; ++j) {
        w[2 * (r.stop - j)] += along * r.slope[2 * j];
        w[2 * (r.stop - j) + 1] += along * r.slope[2 * j + 1];
      }
    }
  }
}

}  // namespace elastane::navigation
