// The cost of a path: clear of the obstacles that the rays see, legs as long as the robot can drive, no sharp bends, not
// far from the policy's proposal, and optionally towards the dock, straight or over a map.
//
// ℓ = ½Σr², every residual in units of its tolerance. Only the path is judged, not the other outputs of a network.
#pragma once

#include <array>
#include <span>

#include "elastane/core/objective/objective.h"
#include "lab/navigation/encoding.h"
#include "lab/navigation/obstacle_map.h"

namespace elastane::navigation {

struct CostWeights {
  double margin = 0.02;  // free space to keep around the body
  // tolerances, each the deviation that makes a residual of 1
  double clear = 0.01;   // missing free space
  double stride = 0.02;  // leg that is shorter or longer than the robot drives
  double bend = 0.05;    // change of direction
  double leave = 0.1;    // distance of a waypoint from the proposal
  double goal = 0;       // distance of the last waypoint from the dock; 0: not a cost
  double progress = 0;   // distance home over a map that a waypoint should have come nearer by; 0: not a cost
};

// how far it is home from a point relative to the robot
class HomeDistance {
 public:
  struct Value {
    double distance = 0;
    Vec2 slope;
  };
  virtual Value home(Vec2 p) const = 0;

 protected:
  ~HomeDistance() = default;
};

class PathObjective final : public Objective {
 public:
  explicit PathObjective(const CostWeights& weights) : weights_(weights) {}

  // a new step: obstacles around the robot, the dock, the proposed path, and the estimated disturbance
  void begin(const ClearanceSource& obstacles, Vec2 goal, std::span<const float> proposed,
             const Disturbance& disturbance = {});
  // after begin, where there is a map
  void head_home(const HomeDistance& map) { map_ = &map; }

  double value(std::span<const double> y) const override;
  void gradient(std::span<const double> y, std::span<double> gradient) const override;
  void gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const override;
  const Objective& at(int /*h*/) const override { return *this; }  // a path already holds its future

 private:
  static constexpr int kResiduals = kWaypoints + kWaypoints + 2 * (kWaypoints - 1) + 3 * kWaypoints + 2;
  using Positions = std::array<Vec2, kWaypoints>;

  // depends on at most three waypoints
  struct Residual {
    double value = 0;
    int waypoint = 0;                  // the last of them
    std::array<double, 6> slope = {};  // by its two coordinates, then by those of the waypoints before it
  };
  void evaluate(std::span<const double> y) const;
  void add_clearance(const Positions& position, int k) const;
  void add_length(const Positions& position, int k) const;
  void add_bend(const Positions& position, int k) const;
  void add_proposal(std::span<const double> y, int k) const;
  void add_goal(const Positions& position) const;
  void add_progress(const Positions& position) const;
  void add(double value, int waypoint, Vec2 own, Vec2 before = {}, Vec2 second = {}) const;

  CostWeights weights_;
  const ClearanceSource* obstacles_ = nullptr;
  const HomeDistance* map_ = nullptr;
  Vec2 goal_;
  Disturbance disturbance_;
  Positions proposed_ = {};
  // of the last path that was evaluated: callers ask about the same path several times
  mutable std::array<double, kPath> evaluated_ = {};
  mutable std::array<Residual, kResiduals> residuals_ = {};
  mutable int count_ = 0;
  mutable bool fresh_ = false;
};

}  // namespace elastane::navigation
