// K: how many micro-steps this moment deserves.
//
//   never    none: a frozen model
//   always   as many as the depth
//   gain     while the predicted gain beats the price; needs no training (docs/science.md §2.2)
//   learned  what a small network says, once a step (learned_gate.h)
//   kappa    all of them where κ is above a threshold, else none          a control
//   random   drawn from a histogram, whatever the step                    a control
//
// The first three go by the loss at hand; the others decide once a step and remember (gatekeeper.h).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "elastane/core/base/result.h"

namespace elastane {

enum class Gate : std::uint8_t { never, always, gain, learned, kappa, random };
inline constexpr int kGates = 6;
std::string_view name(Gate gate);

// what a gate that decides once waits for
enum class GateInput : std::uint8_t {
  loss,   // nothing but the loss; of κ and the gradient it knows the last ones
  solve,  // the first gradient and solve, whose cost is charged also where it then says 0
};
inline constexpr int kGateInputs = 2;
std::string_view name(GateInput sight);

struct GateOptions {
  Gate kind = Gate::always;
  int depth = 1;                       // K_max; a learned gate brings its own
  double price = 0;                    // of gain: of one micro-step, in units of the loss
  GateInput sees = GateInput::loss;    // a learned gate brings its own, and kappa always waits for the solve
  double share = -1;                   // of steps that a learned gate may refine; below 0: as it was trained
  bool follow = false;                 // keeps the share on the stream itself, not only where it is like the lessons
  double threshold = 0;                // of kappa
  std::vector<double> histogram = {};  // of random: the weight of each depth, 0 first; empty: all alike
  std::uint64_t seed = 1;              // of random
};
Status validate(const GateOptions& gate);

inline bool decides_once(Gate gate) { return gate >= Gate::learned; }

// worth looking at the gradient? A loss that is not negative cannot fall by more than itself
inline bool worth_scoring(const GateOptions& gate, double loss) {
  return gate.kind != Gate::gain || loss < 0 || loss > gate.price;
}

// worth the micro-step?
inline bool worth_refining(const GateOptions& gate, double predicted) {
  return gate.kind != Gate::gain || predicted > gate.price;
}

inline int most_steps(const GateOptions& gate) { return gate.kind == Gate::never ? 0 : gate.depth; }

}  // namespace elastane
