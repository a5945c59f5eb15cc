// A circuit that changes again and again between a few regimes, each with a context that is seen: what a memory of the
// coordinates saves when a regime returns.
//
// The model's parameters are inputs at zero plus persistent coordinates c (adaptation.h). Where another context begins, the
// inputs become what the memory recalls minus c: then c learns only what the memory does not know.
#pragma once

#include <cstdint>
#include <vector>

#include "elastane/core/network/model.h"
#include "lab/plant/circuit.h"

namespace elastane::plant {

struct RegimeVisits {
  int visit = 1500;             // steps
  int rounds = 3;               // of all regimes, in an order that changes
  int context = 16;             // channels
  double context_noise = 0.02;  // σ
  int judged = 500;             // steps of a visit whose error counts
};

// mean squared error of the measured output, of all regimes, by the number of the visit: first, second, …
struct RegimeErrors {
  std::vector<double> with_memory, without;
};
RegimeErrors visit_regimes(const Model& model, const std::vector<circuit::Parts>& regimes, const RegimeVisits& options,
                           std::uint64_t seed);

}  // namespace elastane::plant
