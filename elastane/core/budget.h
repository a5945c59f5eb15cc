// How much a correction may take: microseconds of a wall clock, or counted multiply-adds, which replay bit for bit.
//
// A micro-step starts only if its predicted cost fits what is left; so the result is always that of some number of
// whole micro-steps.
#pragma once

#include <cstdint>
#include <limits>

namespace elastane {

struct Budget {
  enum class Clock : std::uint8_t { none, wall, counted };

  Clock clock = Clock::none;
  double limit = std::numeric_limits<double>::infinity();

  static Budget none() { return {}; }
  static Budget micros(double limit) { return {Clock::wall, limit}; }
  static Budget madds(double limit) { return {Clock::counted, limit}; }
};

}  // namespace elastane
