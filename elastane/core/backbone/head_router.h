// Decides for every key head of an attention block whether it is full or streaming (arXiv 2601.17367, eqs. 4 and 5).
//
//   code = TaskMLP(pooled keys of the head)      logit = RouterMLP(code)      full where logit > 0
//
// The heads of a block share one router; blocks have their own. It runs once in `block` steps, on pools of the past
// (key_pools.h), so its cost does not depend on the length of the stream. In double, with arithmetic that IEEE 754 fixes
// (softsign for SiLU), so that it decides alike on every machine and in training.
#pragma once

#include <cstdint>
#include <vector>

#include "elastane/core/allocation/scoring_network.h"

namespace elastane {

inline constexpr int kMostRouterHidden = 1024;

struct HeadRouter {
  ScoringNetwork task;   // 3·size features to a code
  ScoringNetwork route;  // the code to one score, the logit of `full`

  bool present() const { return route.present(); }
  std::int64_t macs() const { return task.macs() + route.macs(); }  // of one key head
  int scratch_doubles() const { return task.activations() + task.scores() + route.activations(); }

  double logit(const double* features, double* scratch) const;

  bool operator==(const HeadRouter&) const = default;
};

inline constexpr int kMostRouterScratch = 5 * kMostRouterHidden;

// The routers of one model, in the order of its attention blocks. A block whose router is not present keeps its modes.
struct RouterWeights {
  std::uint64_t model = 0;  // fingerprint of the model that they were trained for
  std::vector<HeadRouter> layers = {};

  bool present() const { return !layers.empty(); }
  bool operator==(const RouterWeights&) const = default;
};

// sizes that fit each other, numbers that are finite
Status validate(const RouterWeights& router);
std::uint64_t fingerprint(const RouterWeights& router);

}  // namespace elastane
