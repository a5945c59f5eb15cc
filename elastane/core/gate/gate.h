// K: how many micro-steps this moment deserves.
//
//   never    none: a frozen model
//   always   as many as the depth
//   gain     while the predicted gain beats the price; needs no training (SCIENCE §2.2)
#pragma once

#include <cstdint>

namespace elastane {

enum class Gate : std::uint8_t { never, always, gain };

struct GateOptions {
  Gate kind = Gate::always;
  int depth = 1;     // K_max
  double price = 0;  // of one micro-step, in units of the loss
};

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
