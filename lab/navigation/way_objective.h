// What a way should be like: clear of what the rays see, as long as the robot can drive, without sharp bends, not far
// from what the policy proposed, and, if asked, towards the dock.
//
// ℓ = ½Σr², every residual in units of its own tolerance. Only the way is judged; what a network says beside it is not.
#pragma once

#include <array>
#include <span>

#include "elastane/core/objective/objective.h"
#include "lab/navigation/language.h"
#include "lab/navigation/ray_view.h"

namespace elastane::navigation {

struct WayTastes {
  double margin = 0.02;  // room beside the body that is wanted
  double clear = 0.01;   // tolerances: of room that is missing,
  double stride = 0.02;  // of a stop that is nearer or farther from the last than the robot drives,
  double bend = 0.05;    // of a change of direction,
  double leave = 0.1;    // of a stop that is elsewhere than proposed,
  double goal = 0;       // of the last stop's distance from the dock; 0: of no concern
};

class WayObjective final : public Objective {
 public:
  explicit WayObjective(const WayTastes& tastes) : tastes_(tastes) {}

  // a new step: what is seen, where the dock is, what was proposed, and how the air is believed to be
  void look(const RayView& view, Point goal, std::span<const float> proposed, const Air& air = {});

  double value(std::span<const double> y) const override;
  void gradient(std::span<const double> y, std::span<double> gradient) const override;
  void gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const override;

 private:
  static constexpr int kResiduals = kStops + kStops + 2 * (kStops - 1) + 2 * kStops + 2;

  // residuals that depend on at most three stops, and their derivatives there
  struct Residual {
    double value = 0;
    int stop = 0;                      // the first of them
    std::array<double, 6> slope = {};  // by its two coordinates, then those of the stops before it
  };
  void read(std::span<const double> y) const;
  void add(double value, int stop, Point own, Point before = {}, Point second = {}) const;

  WayTastes tastes_;
  const RayView* view_ = nullptr;
  Point goal_;
  Air air_;
  std::array<Point, kStops> proposed_ = {};
  // of the way that was read last: methods ask about the same one again and again
  mutable std::array<double, kWay> read_ = {};
  mutable std::array<Residual, kResiduals> residuals_ = {};
  mutable int count_ = 0;
  mutable bool fresh_ = false;
};

}  // namespace elastane::navigation
