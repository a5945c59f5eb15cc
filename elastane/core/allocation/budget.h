// How much work may be spent: microseconds of a wall clock, or counted multiply-adds, which replay bit for bit.
//
// A micro-step of a correction starts only if its predicted cost fits into what is left, so the result is always that of
// some number of whole micro-steps.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace elastane {

struct Budget {
  enum class Clock : std::uint8_t { none, wall, counted };

  Clock clock = Clock::none;
  double limit = std::numeric_limits<double>::infinity();

  // µs beyond it
  double overrun(double elapsed) const {
    return clock == Clock::wall ? std::fmax(0.0, elapsed - std::fmax(0.0, limit)) : 0.0;
  }

  static Budget none() { return {}; }
  static Budget micros(double limit) { return {Clock::wall, limit}; }
  static Budget macs(double limit) { return {Clock::counted, limit}; }
};

// How long a piece of work is expected to take: the time that one in a hundred exceeds, followed as the work is
// repeated. One interruption by the machine moves it by no more than a twentieth.
struct TimeEstimate {
  double micros = 0;
  int seen = 0;

  void observe(double took) {
    constexpr double kUp = 0.05, kDown = 5e-4;
    const double early = 1.0 / (seen + 2);  // the first times, with cold caches, count little
    if (seen == 0) {
      micros = took;
    } else if (took > micros) {
      micros += kUp * (took < 2 * micros ? took - micros : micros);
    } else {
      micros -= (early > kDown ? early : kDown) * (micros - took < 0.1 * micros ? 0.1 * micros : micros - took);
    }
    seen += seen < 1 << 20 ? 1 : 0;
  }
  // It kept work from starting. It comes down, so that the work is tried again: soon, if little was measured so far
  void refuse() { micros *= 1 - (seen < 1000 ? 0.1 / (seen + 1) : 1e-4); }
};

}  // namespace elastane
