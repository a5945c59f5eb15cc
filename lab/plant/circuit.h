// A resistor, a saturating coil and a capacitor in series, whose parts may change while the circuit runs.
//
//   dv/dt = i/C     di/dt = (u − v − Ri)/L(i)     L(i) = L₀[(.9/π)·atan(−5(|i| − 5)) + .6]
//
// After Forgione, Muni, Piga, Gallieri (arXiv 2201.08660). The source's voltage is white noise behind two equal lags. It
// is linear between samples, which are 1 µs apart; this fits the published data best.
// A model receives u/80 and predicts v/90 and i/3 at the same instant; only v is measured.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "elastane/core/base/random.h"
#include "lab/plant/record.h"

namespace elastane::circuit {

inline constexpr double kStep = 1e-6;  // seconds
inline constexpr double kSourceUnit = 80, kVoltageUnit = 90, kCurrentUnit = 3;

struct Parts {
  double resistance = 3;        // Ω
  double inductance = 50e-6;    // H, L₀
  double capacitance = 270e-9;  // F
};

struct State {
  double voltage = 0, current = 0;  // of the capacitor, of the coil
};

double inductance(const Parts& parts, double current);

// the next sample, with the source's voltage changing linearly; fourth-order Runge–Kutta
State advance(const State& state, const Parts& parts, double from, double to, int substeps = 2);

// Parts as a model's inputs, logarithmic: 0 is nominal; −1 to 1 covers R from 2 to 12 Ω, L₀ from 40 to 85 µH, C from 200
// to 1200 nF and a little more
inline constexpr int kParameters = 3;
using Parameters = std::array<double, kParameters>;
Parameters parameters_of(const Parts& parts);
Parts parts_of(const Parameters& parameters);
Parts random_parts(Random& random);  // from that range

struct Change {
  int step = 0;  // the first with these parts
  Parts parts;
};
struct Options {
  int steps = 5000;
  std::vector<Change> changes = {};  // nominal before the first
  double deviation = 70;             // V, of the source
  double bandwidth = 90e3;           // rad/s, of each lag
};
plant::Record simulate(std::uint64_t seed, const Options& options = {});

// the source only, in a model's units; and the response of a circuit at rest
std::vector<float> source(std::uint64_t seed, const Options& options);
plant::Record respond(std::span<const float> source, std::span<const Change> changes);

}  // namespace elastane::circuit
