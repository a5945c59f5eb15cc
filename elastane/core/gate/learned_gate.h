// A gate that was trained: a network of a few hundred numbers, from what a step shows to how deep it should be refined.
//
//   a = σ(Wf + b),  o = Va + c,  σ(x) = x/(1 + |x|)              one score for each depth 0 … K_max
//
// Softsign, not tanh: it takes nothing but arithmetic that IEEE 754 fixes to the last bit, so a gate decides alike on
// every machine, and training (elastane/train/gate_training.h) calls this very code.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "elastane/core/gate/gate.h"

namespace elastane {

// what scores mean, which is how the gate was trained
enum class GateReadout : std::uint8_t {
  argmax,  // log-probabilities of depths
  ponder,  // logits of halting at each depth; the depth at which half of all would have halted       (PonderNet)
  act,     // the same, and the depth at which they sum up to .99                                      (Graves 2016)
};
inline constexpr int kGateReadouts = 3;
std::string_view name(GateReadout readout);

inline constexpr int kOwnGateFeatures = 7;  // those of gatekeeper.h, before what a latent model adds
inline constexpr int kMostGateFeatures = 64, kMostGateHidden = 64;

struct LearnedGate {
  GateSight sees = GateSight::loss;
  GateReadout readout = GateReadout::argmax;
  //                                        meaning                                shape
  std::vector<double> hidden_weight = {};  // W                                     [h][F]
  std::vector<double> hidden_bias = {};    // b                                     [h]
  std::vector<double> score_weight = {};   // V                                     [K_max + 1][h]
  std::vector<double> score_bias = {};     // c                                     [K_max + 1]
  std::vector<double> quantiles = {};      // of urgency among lessons: evenly spaced, from the lowest to the highest

  bool present() const { return !score_bias.empty(); }
  int hidden() const { return static_cast<int>(hidden_bias.size()); }                                     // h
  int depths() const { return static_cast<int>(score_bias.size()); }                                      // K_max + 1
  int features() const { return hidden() == 0 ? 0 : static_cast<int>(hidden_weight.size()) / hidden(); }  // F
  std::int64_t macs() const { return static_cast<std::int64_t>(hidden_weight.size() + score_weight.size()); }

  // o for features f; `a` is kept for those who take derivatives
  void score(const double* f, double* a, double* o) const;
  // how much it speaks for refining at all, in log-odds
  double urgency(const double* o) const;
  // K: 0 unless urgency is above the threshold, then the best of the others
  int depth(const double* o, double threshold) const;

  // of urgency: the one it was trained for, and the one that this share of lessons is above
  double threshold() const;
  double threshold(double share) const;
};
// sizes that fit each other, numbers that are finite
Status validate(const LearnedGate& gate);

}  // namespace elastane
