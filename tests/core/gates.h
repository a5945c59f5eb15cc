// Learned gates with random numbers, for tests.
#pragma once

#include "elastane/core/base/random.h"
#include "elastane/core/gate/learned_gate.h"

namespace elastane {

struct GateShape {
  int depths = 4, hidden = 6, features = kOwnGateFeatures;
  GateReadout readout = GateReadout::argmax;
  GateInput sees = GateInput::loss;
};

inline LearnedGate random_gate(std::uint64_t seed, const GateShape& shape = {}) {
  Random random(seed);
  const auto numbers = [&](int n) {
    std::vector<double> all(static_cast<std::size_t>(n));
    for (double& v : all) v = 0.5 * random.normal();
    return all;
  };
  return {.sees = shape.sees,
          .readout = shape.readout,
          .network = {.hidden_weight = numbers(shape.hidden * shape.features),
                      .hidden_bias = numbers(shape.hidden),
                      .score_weight = numbers(shape.depths * shape.hidden),
                      .score_bias = numbers(shape.depths)}};
}

}  // namespace elastane
