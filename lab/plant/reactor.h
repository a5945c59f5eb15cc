// A stirred tank in which A reacts to R and R to further products, at rates that depend on temperature and may change.
//
//   dA/dt = q(A₀ − A) − k₁A + k₄R
//   dR/dt = q(1 − A₀ − R) + k₁A + k₃(1 − A − R) − (k₂ + k₄)R            kᵢ = k⁰ᵢ·exp(−Eᵢ(1/T − 1))
//
// After Forgione, Muni, Piga, Gallieri (arXiv 2201.08660), with k₁A in the second equation as mass balance requires and
// the published data confirm (R² above .9999; the source prints k₁R). The flow q rises and falls linearly, the temperature
// T jumps; both are held for a sample of .1 s. A model receives q and T, with the first sample also the initial A and R,
// and predicts A and R at the end of the sample, all standardised as in the published training data.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "elastane/core/base/random.h"
#include "lab/plant/record.h"

namespace elastane::reactor {

inline constexpr double kStep = 0.1;  // seconds

struct Chemistry {
  std::array<double, 4> energies = {8.33, 10, 50, 83.3};  // E
  double feed = 0.8;                                      // A₀: concentration of A in the inflow
};
// of the published transfer and evaluation data: from the source's program, confirmed by fitting them
inline constexpr Chemistry kPublishedChange = {.energies = {7.33, 9, 60, 93.3}, .feed = 0.75};

struct State {
  double a = 0, r = 0;  // concentrations
};
struct Drive {
  double flow = 0, temperature = 0;
};

// rates of the four reactions at a temperature
std::array<double, 4> rates(const Chemistry& chemistry, double temperature);

// the next sample; fourth-order Runge–Kutta
State advance(const State& state, const Chemistry& chemistry, const Drive& drive, int substeps = 2);

// to and from a model's units
Drive drive_of(std::span<const float> input);
std::array<float, 2> output_of(const State& state);
State state_of(std::span<const float> output);

// Chemistry as a model's inputs: 0 is nominal; −1 to 1 is the range that plants are drawn from
inline constexpr int kParameters = 5;
using Parameters = std::array<double, kParameters>;
Parameters parameters_of(const Chemistry& chemistry);
Chemistry chemistry_of(const Parameters& parameters);
Chemistry random_chemistry(Random& random);

struct Change {
  int step = 0;  // the first with this chemistry
  Chemistry chemistry;
};
struct Options {
  int steps = 1024;
  std::vector<Change> changes = {};  // nominal before the first
  int period = 50;                   // samples, of the flow's triangles and the temperature's jumps
};
plant::Record simulate(std::uint64_t seed, const Options& options = {});  // from a random state

// the inputs only, in a model's units; and the response of a reactor
std::vector<float> drives(std::uint64_t seed, const Options& options);
plant::Record respond(std::span<const float> drives, const State& start, std::span<const Change> changes);

}  // namespace elastane::reactor
