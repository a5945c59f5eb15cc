// The inputs and outputs of a navigation network, in its units.
//
//   inputs   [disturbance | rays | goal | motion | slope]   disturbance: what is known of wind and drive, or zeros
//   outputs  [path | slip | rays | goal | slope]            path: kWaypoints waypoints, kStride steps apart
//
// The path is the sum of the robot's commands, so it is where the robot gets to on flat ground without a disturbance. The
// other outputs predict the next observation. Slip is the difference between motion and command, which depends only on
// ground and disturbance. (Motion itself reveals no disturbance: a policy that knows it compensates for it.)
#pragma once

#include <cmath>
#include <span>

#include "lab/navigation/episode.h"
#include "lab/navigation/observation.h"

namespace elastane::navigation {

inline constexpr int kWaypoints = 8, kStride = 2;
inline constexpr int kPath = 2 * kWaypoints;  // outputs of the path
inline constexpr int kObserved = kRays + 6;   // inputs of an observation, outputs of the next one
inline constexpr int kDisturbance = 3;        // wind, and the missing strength of the drive
inline constexpr int kInputs = kObserved + kDisturbance;
inline constexpr int kOutputs = kPath + kObserved;
inline constexpr int kSlip = kPath;  // index of the slip in the outputs

inline constexpr double kPathUnit = 0.1;  // lengths of the unit square that are 1 to the network
inline constexpr double kGoalUnit = 0.5, kSlopeUnit = 0.5;

// the inputs of an observation
inline void encode(const Observation& observation, std::span<float> x) {
  for (int i = 0; i < kRays; ++i) x[i] = static_cast<float>(1 - observation.rays[i] / kRange);
  const double rest[] = {observation.goal.x / kGoalUnit,   observation.goal.y / kGoalUnit,
                         observation.motion.x / kSpeed,    observation.motion.y / kSpeed,
                         observation.slope.x / kSlopeUnit, observation.slope.y / kSlopeUnit};
  for (int i = 0; i < 6; ++i) x[kRays + i] = static_cast<float>(rest[i]);
}

// the outputs that would have predicted this observation, after this command
inline void encode_next(const Observation& observation, Vec2 command, std::span<float> y) {
  const Vec2 slip = observation.motion - command;
  y[0] = static_cast<float>(slip.x / kSpeed);
  y[1] = static_cast<float>(slip.y / kSpeed);
  for (int i = 0; i < kRays; ++i) y[2 + i] = static_cast<float>(1 - observation.rays[i] / kRange);
  const double rest[] = {observation.goal.x / kGoalUnit, observation.goal.y / kGoalUnit,
                         observation.slope.x / kSlopeUnit, observation.slope.y / kSlopeUnit};
  for (int i = 0; i < 4; ++i) y[2 + kRays + i] = static_cast<float>(rest[i]);
}

// the inputs of a disturbance
inline void encode(const Disturbance& disturbance, std::span<float> x) {
  x[0] = static_cast<float>(disturbance.wind.x / kSpeed);
  x[1] = static_cast<float>(disturbance.wind.y / kSpeed);
  x[2] = static_cast<float>(disturbance.strength - 1);
}

// waypoint k of a path in the outputs, relative to the robot
template <class T>
Vec2 waypoint(std::span<const T> y, int k) {
  return Vec2{static_cast<double>(y[2 * k]), static_cast<double>(y[2 * k + 1])} * kPathUnit;
}

// the first command of a path
template <class T>
Vec2 first_command(std::span<const T> y) {
  return limited(waypoint(y, 0) * (1.0 / kStride), kSpeed);
}

}  // namespace elastane::navigation
