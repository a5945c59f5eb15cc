// A network of a few hundred numbers that scores what a moment deserves: a depth, a mode of attention, a write.
//
//   a = σ(Wf + b),  a ← σ(Ma + d) where there is a middle layer,  o = Va + c,  σ(x) = x/(1 + |x|)
//
// Softsign, not tanh: it takes only arithmetic that IEEE 754 fixes to the last bit, so a network decides alike on every
// machine, and training (elastane/train/gate_training.h) calls this very code.
#pragma once

#include <cstdint>
#include <vector>

#include "elastane/core/base/result.h"

namespace elastane {

inline constexpr int kMostScoreFeatures = 64, kMostScoreHidden = 64;  // of gates; routers have limits of their own

struct ScoringNetwork {
  //                                        meaning   shape
  std::vector<double> hidden_weight = {};  // W        [h][F]
  std::vector<double> hidden_bias = {};    // b        [h]
  std::vector<double> middle_weight = {};  // M        [m][h], or empty
  std::vector<double> middle_bias = {};    // d        [m]
  std::vector<double> score_weight = {};   // V        [n][m, or h]
  std::vector<double> score_bias = {};     // c        [n]

  bool present() const { return !score_bias.empty(); }
  int hidden() const { return static_cast<int>(hidden_bias.size()); }                                     // h
  int middle() const { return static_cast<int>(middle_bias.size()); }                                     // m
  int scores() const { return static_cast<int>(score_bias.size()); }                                      // n
  int features() const { return hidden() == 0 ? 0 : static_cast<int>(hidden_weight.size()) / hidden(); }  // F
  int activations() const { return hidden() + middle(); }
  std::int64_t macs() const {
    return static_cast<std::int64_t>(hidden_weight.size() + middle_weight.size() + score_weight.size());
  }

  // o for features f; `a` [activations] is an output as well, for training
  void score(const double* f, double* a, double* o) const;

  bool operator==(const ScoringNetwork&) const = default;
};

// what a network must satisfy beyond sizes that fit each other and numbers that are finite
struct ScoringLimits {
  int least_features = 1, most_features = kMostScoreFeatures;
  int most_scores = 64;
  const char* score = "scores";  // what messages call them
  int most_hidden = kMostScoreHidden;
  int most_middle = 0;
  const char* tag = "gate";  // in front of messages
};
Status validate(const ScoringNetwork& network, const ScoringLimits& limits);

inline constexpr int kRouterCode = 16;  // numbers of a code that the router of the next attention block can see

// Two networks that decide for every key head of an attention block whether it is full (backbone/head_router.h).
struct HeadRouter {
  ScoringNetwork task;   // three pools of the keys of all heads, and perhaps the code of the router before, to a code
  ScoringNetwork route;  // the code to a score per key head, the logit of `full`

  bool present() const { return route.present(); }
  std::int64_t macs() const { return task.macs() + route.macs(); }  // of one decision for all key heads
  int scratch_doubles() const { return task.activations() + task.scores() + route.activations(); }

  bool operator==(const HeadRouter&) const = default;
};

// The routers of one model, in the order of its attention blocks. A block whose router is not present keeps its modes.
struct RouterWeights {
  std::uint64_t model = 0;  // fingerprint of the model that they were trained for
  std::vector<HeadRouter> layers = {};

  bool present() const { return !layers.empty(); }
  bool operator==(const RouterWeights&) const = default;
};

}  // namespace elastane
