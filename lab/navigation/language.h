// What a navigation network is told and what it says, in its own units.
//
//   inputs   [air | rays | goal | motion | slope]      air: what is known of wind and drive; zeros: nothing
//   outputs  [way | slip | rays | goal | slope]        way: where its commands lead, kStops stops of kStride steps each
//
// Commands add up to the way if the ground is flat and the air still. The rest is what it expects of the next step;
// slip is by how much the robot will have moved otherwise than it was told, which only the air and the ground decide.
// (Its motion would tell nothing about the air: whoever knows the air makes up for it.)
#pragma once

#include <cmath>
#include <span>

#include "lab/navigation/drive.h"

namespace elastane::navigation {

inline constexpr int kStops = 8, kStride = 2;
inline constexpr int kWay = 2 * kStops;   // outputs of the way
inline constexpr int kSight = kRays + 6;  // inputs of a sight, outputs of the next
inline constexpr int kAir = 3;            // wind, and what the drive lacks
inline constexpr int kInputs = kSight + kAir;
inline constexpr int kOutputs = kWay + kSight;
inline constexpr int kSlip = kWay;  // place of the slip in the outputs

inline constexpr double kWayUnit = 0.1;  // of the square, is 1 to the network
inline constexpr double kGoalUnit = 0.5, kSlopeUnit = 0.5;

// the part of the inputs that is a sight
inline void speak(const Sight& sight, std::span<float> x) {
  for (int i = 0; i < kRays; ++i) x[i] = static_cast<float>(1 - sight.rays[i] / kRange);
  const double rest[] = {sight.goal.x / kGoalUnit, sight.goal.y / kGoalUnit,   sight.motion.x / kSpeed,
                         sight.motion.y / kSpeed,  sight.slope.x / kSlopeUnit, sight.slope.y / kSlopeUnit};
  for (int i = 0; i < 6; ++i) x[kRays + i] = static_cast<float>(rest[i]);
}

// what the outputs should have said of the step that led from a command to a sight
inline void speak_next(const Sight& sight, Point command, std::span<float> y) {
  const Point slip = sight.motion - command;
  y[0] = static_cast<float>(slip.x / kSpeed);
  y[1] = static_cast<float>(slip.y / kSpeed);
  for (int i = 0; i < kRays; ++i) y[2 + i] = static_cast<float>(1 - sight.rays[i] / kRange);
  const double rest[] = {sight.goal.x / kGoalUnit, sight.goal.y / kGoalUnit, sight.slope.x / kSlopeUnit,
                         sight.slope.y / kSlopeUnit};
  for (int i = 0; i < 4; ++i) y[2 + kRays + i] = static_cast<float>(rest[i]);
}

inline void speak(const Air& air, std::span<float> x) {
  x[0] = static_cast<float>(air.wind.x / kSpeed);
  x[1] = static_cast<float>(air.wind.y / kSpeed);
  x[2] = static_cast<float>(air.strength - 1);
}

template <class T>
Point stop(std::span<const T> y, int k) {
  return Point{static_cast<double>(y[2 * k]), static_cast<double>(y[2 * k + 1])} * kWayUnit;
}

// the command that begins a way
template <class T>
Point first_command(std::span<const T> y) {
  return at_most(stop(y, 0) * (1.0 / kStride), kSpeed);
}

}  // namespace elastane::navigation
