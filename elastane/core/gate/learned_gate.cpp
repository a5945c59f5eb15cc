// Real-time code only.
#include "elastane/core/gate/learned_gate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "elastane/core/allocation/quantile_threshold.h"

namespace elastane {
namespace {

constexpr double kHalved = 0.5, kSummed = 0.99;  // what ponder and act wait for

// e^x is the one function here that IEEE 754 leaves open; a unit in its last place moves a depth only on the very edge
double probability(double logit) { return 1 / (1 + std::exp(-logit)); }

}  // namespace

double LearnedGate::urgency(const double* o) const {
  if (depths() < 2) return -std::numeric_limits<double>::infinity();
  if (readout != GateReadout::argmax) return -o[0];
  return *std::max_element(o + 1, o + depths()) - o[0];  // log p_k/p₀ of the best k
}

int LearnedGate::depth(const double* o, double threshold) const {
  const int last = depths() - 1;
  if (!(urgency(o) > threshold)) return 0;
  if (readout == GateReadout::argmax) return static_cast<int>(std::max_element(o + 1, o + depths()) - o);
  // halted: Σ p_j with p_j = λ_j Π(1 − λ_i) of ponder, Σ λ_j of act
  double halted = probability(o[0]);
  for (int k = 1; k < last; ++k) {
    const double now = probability(o[k]);
    halted += readout == GateReadout::ponder ? now * (1 - halted) : now;
    if (halted >= (readout == GateReadout::ponder ? kHalved : kSummed)) return k;
  }
  return last;
}

double LearnedGate::threshold() const {
  // λ₀ itself reaches what is waited for; for argmax, the best is no better than depth 0
  return readout == GateReadout::act ? -std::log(kSummed / (1 - kSummed)) : 0;
}

double LearnedGate::threshold(double share) const {
  return quantiles.empty() ? threshold() : threshold_for_share(quantiles, share);
}

}  // namespace elastane
