// A plant that changes and returns, with three streams of one model through it: frozen, corrected, guarded.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "lab/plant/adaptation.h"

namespace elastane::plant {

// how the plant changes at a third of the run, and returns at two thirds
enum class Course : std::uint8_t {
  abrupt,  // at once, as in the demo
  small,   // a quarter of that
  slow,    // over 3,000 steps
  drawn,   // at once, to any plant of the range
};
inline constexpr const char* kCourseNames[] = {"abrupt", "small", "slow", "drawn"};
inline constexpr int kCourses = 4;

struct GuardedCase {
  std::string plant = "circuit";  // or "reactor"
  Course course = Course::abrupt;
  double noise = 0;  // σ of the sensors
  std::uint64_t seed = 1;
  int steps = 12'000;
};

// the plant itself, without noise
Record simulate(const GuardedCase& given);

// mean squared errors over all outputs, also those that are never measured
struct PhaseErrors {
  double frozen = 0, corrected = 0, guarded = 0;
  double better() const { return frozen < corrected ? frozen : corrected; }
};
struct GuardedOutcome {
  PhaseErrors rest;      // from step 200 to the change
  PhaseErrors first;     // 500 steps from the change on
  PhaseErrors changed;   // the whole time until the return
  PhaseErrors returned;  // from 300 steps after the return on
  int delay = 0, delay_back = 0, switches = 0;
  std::array<double, 3> p50 = {};  // µs of a step: frozen, corrected, guarded
};
GuardedOutcome run_guarded(const Model& model, const StreamOptions& options, const GuardedCase& given);

}  // namespace elastane::plant
