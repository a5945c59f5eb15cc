// K: how many micro-steps this moment deserves.
//
//   never    none: a frozen model
//   always   as many as the depth
//   gain     while the predicted gain beats the price; needs no training (docs/science.md §2.2)
//   learned  what a small network decides, once per step (learned_gate.h)
//   kappa    all of them where κ is above a threshold, else none          a control
//   random   drawn from a histogram, independent of the step              a control
//
// The first three use only the loss of this step; the others decide once per step and keep a memory (gatekeeper.h).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "elastane/core/base/result.h"

namespace elastane {

enum class Gate : std::uint8_t { never, always, gain, learned, kappa, random };
inline constexpr int kGates = 6;
std::string_view name(Gate gate);

// what a gate that decides once per step sees of it
enum class GateInput : std::uint8_t {
  loss,   // only the loss; κ and the gradient are those of the last solve
  solve,  // the first gradient and solve as well; their cost is charged even if the gate then grants nothing
};
inline constexpr int kGateInputs = 2;
std::string_view name(GateInput input);

struct GateOptions {
  Gate kind = Gate::always;
  int depth = 1;                       // K_max; a learned gate brings its own
  double price = 0;                    // for gain: of one micro-step, in units of the loss
  GateInput sees = GateInput::loss;    // a learned gate brings its own; kappa always sees the solve
  double share = -1;                   // of steps that a learned gate may refine; below 0: as it was trained
  bool follow = false;                 // holds the share on this stream, even where it differs from the training data
  double threshold = 0;                // for kappa
  std::vector<double> histogram = {};  // for random: the weight of each depth, 0 first; empty: all equal
  std::uint64_t seed = 1;              // for random
};
Status validate(const GateOptions& gate);

inline bool decides_once(Gate gate) { return gate >= Gate::learned; }

// is the gradient worth computing? A loss that is not negative cannot fall by more than itself
inline bool worth_scoring(const GateOptions& gate, double loss) {
  return gate.kind != Gate::gain || loss < 0 || loss > gate.price;
}

// is the micro-step worth its price?
inline bool worth_refining(const GateOptions& gate, double predicted) {
  return gate.kind != Gate::gain || predicted > gate.price;
}

inline int most_steps(const GateOptions& gate) { return gate.kind == Gate::never ? 0 : gate.depth; }

}  // namespace elastane
