// A trained gate: a scoring network with one score for each depth 0 … K_max, and how a depth is read from its scores.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "elastane/core/allocation/scoring_network.h"
#include "elastane/core/gate/gate.h"

namespace elastane {

// what scores mean: that depends on how the gate was trained
enum class GateReadout : std::uint8_t {
  argmax,  // log-probabilities of depths
  ponder,  // logits of halting at each depth; the depth at which half of all would have halted       (PonderNet)
  act,     // the same, and the depth at which they sum up to .99                                      (Graves 2016)
};
inline constexpr int kGateReadouts = 3;
std::string_view name(GateReadout readout);

inline constexpr int kOwnGateFeatures = 7;  // those of gatekeeper.h, before what a latent model adds

struct LearnedGate {
  GateInput sees = GateInput::loss;
  GateReadout readout = GateReadout::argmax;
  ScoringNetwork network = {};         // features to scores of depths
  std::vector<double> quantiles = {};  // of urgency among training examples: evenly spaced, lowest first

  bool present() const { return network.present(); }
  int hidden() const { return network.hidden(); }      // h
  int depths() const { return network.scores(); }      // K_max + 1
  int features() const { return network.features(); }  // F
  std::int64_t macs() const { return network.macs(); }
  void score(const double* f, double* a, double* o) const { network.score(f, a, o); }

  // the log-odds of refining at all
  double urgency(const double* o) const;
  // K: 0 unless urgency is above the threshold, then the best of the others
  int depth(const double* o, double threshold) const;

  // of urgency: the one it was trained for, and the one that this share of training examples is above
  double threshold() const;
  double threshold(double share) const;
};
// sizes that fit each other, numbers that are finite
Status validate(const LearnedGate& gate);

}  // namespace elastane
