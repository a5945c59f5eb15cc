#include "lab/crowd/forecast.h"

#include <algorithm>
#include <cmath>

namespace elastane::crowd {
namespace {

constexpr double kOnBorder = 1e-6;     // metres per second: rounding of a velocity on a half-plane's border
constexpr double kCertain = 1e3;       // weight of a known goal; one observed direction has weight 1
constexpr double kExpectation = 1e-3;  // weight of the expected goal, straight ahead at the end of a usual trip

}  // namespace

void Forecast::Goal::lies_on(Vec2 through, Vec2 normal, double weight) {
  xx += weight * normal.x * normal.x, xy += weight * normal.x * normal.y, yy += weight * normal.y * normal.y;
  pull += weight * dot(normal, through) * normal;
}

Vec2 Forecast::Goal::solve(Vec2 expected) const {
  const double a = xx + kExpectation, c = yy + kExpectation, determinant = a * c - xy * xy;
  const Vec2 b = pull + kExpectation * expected;
  return (1 / determinant) * Vec2{c * b.x - xy * b.y, a * b.y - xy * b.x};
}

Forecast::Forecast(const ForecastOptions& options, std::size_t people)
    : options_(options),
      walkers_(people),
      goals_(people),
      targets_(people),
      ahead_(static_cast<std::size_t>(options.steps + 1) * people) {}

void Forecast::observe(std::span<const MovingDisc> people) {
  if (begun_) {
    learn(people);
  } else {
    for (std::size_t i = 0; i < people.size(); ++i) goals_[i] = {.first = people[i].position};
  }
  begun_ = true;
  std::ranges::copy(people, row(0).begin());
  look_ahead();
}

// The preferred velocity of a person, given the actual one: ORCA backwards. A velocity that touches no half-plane is the
// preferred one. One on a border is the projection of the preferred one, which lies outside at full speed. In a corner of
// two borders, or of a border and the speed limit, the preferred one may be anywhere between their normals; guessing the
// mean made forecasts worse. If the half-planes could not all be satisfied, nothing is known.
std::optional<Vec2> Forecast::wanted(std::size_t person, Vec2 velocity) {
  const planners::HalfPlane* border = nullptr;
  for (const planners::HalfPlane& plane : walkers_.allowed(row(0), person)) {
    const double outside = plane.outside(velocity);
    if (outside < -kOnBorder) continue;
    if (outside > kOnBorder || border != nullptr) return std::nullopt;
    border = &plane;
  }
  if (border == nullptr) return velocity;
  if (norm(velocity) > kSpeedLimit - kOnBorder) return std::nullopt;
  const double along = dot(velocity, border->outward());
  const double room = along * along + kSpeedLimit * kSpeedLimit - dot(velocity, velocity);
  return velocity + (std::sqrt(std::max(0.0, room)) - along) * border->outward();
}

void Forecast::learn(std::span<const MovingDisc> people) {
  for (std::size_t i = 0; i < people.size(); ++i) {
    const std::optional<Vec2> want = wanted(i, people[i].velocity);
    if (!want) continue;
    Goal& goal = goals_[i];
    const Vec2 from = at(0, i).position;
    if (norm(*want) < kSpeedLimit - kOnBorder) {
      // below full speed: the goal is less than a metre away, exactly this far
      goal = {.first = goal.first, .ahead = goal.ahead};
      goal.lies_on(from + *want, {1, 0}, kCertain);
      goal.lies_on(from + *want, {0, 1}, kCertain);
    } else {
      goal.lies_on(from, turned_left(*want), 1);
      goal.ahead += *want;
    }
  }
}

void Forecast::look_ahead() {
  for (std::size_t i = 0; i < people(); ++i) {
    const Vec2 here = at(0, i).position, seen = goals_[i].ahead;
    const Vec2 ahead = direction(dot(seen, seen) > 0 ? seen : at(0, i).velocity);
    const double left = std::max(1.0, options_.trip - norm(here - goals_[i].first));
    targets_[i] = goals_[i].solve(here + left * ahead);
  }
  for (int h = 0; h < options_.steps; ++h) {
    if (options_.reciprocal) {
      walkers_.advance(row(h), targets_, row(h + 1));
      continue;
    }
    for (std::size_t i = 0; i < people(); ++i) {
      row(h + 1)[i] = at(h, i);
      row(h + 1)[i].position += kTimeStep * at(h, i).velocity;
    }
  }
}

}  // namespace elastane::crowd
