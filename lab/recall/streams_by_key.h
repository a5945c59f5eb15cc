// Streams that a memory helps with: devices whose rows are interleaved, and regimes that return.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "elastane/core/backbone/hashed_memory.h"

namespace elastane::recall {

// Each device has an offset of variance 1, seen with noise; a visited device may get another one. Error: mean square of the
// offset known before the visit minus the true one, over the second half.
struct DeviceOptions {
  int devices = 1000, rows = 100'000;
  double noise = 0.3, redraw = 2e-4;  // σ; probability per row
  bool zipf = false;                  // otherwise all devices are equally frequent
};
struct DeviceResult {
  std::string model;
  std::size_t bytes;
  int touched;  // floats per row
  double error;
};
std::vector<DeviceResult> follow_devices(const DeviceOptions& options, std::uint64_t seed);

// y = θ_r·φ + noise. The regime r changes every `visit` steps; each has a context, a unit vector that is seen with noise.
// Squared errors of returning visits: the first ten steps, and the rest.
struct RegimeOptions {
  int regimes = 8, context = 16, features = 8;
  int visit = 60, visits = 300;
  double noise = 0.1, context_noise = 0.02;  // σ
};
struct RegimeResult {
  std::string model;
  std::size_t bytes;
  double first, rest, write_share;
};
std::vector<RegimeResult> return_to_regimes(const RegimeOptions& options, std::uint64_t seed);

}  // namespace elastane::recall
