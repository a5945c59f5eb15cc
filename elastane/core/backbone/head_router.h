// Decides for every key head of an attention block whether it is full or streaming (arXiv 2601.17367, eqs. 4 and 5).
//
//   code = TaskMLP(pooled keys of the head)      logit = RouterMLP(code)      full where logit > 0
//
// The heads of a block share one router; blocks have their own. It runs once in `block` steps, on pools of the past
// (key_pools.h), so its cost does not depend on the length of the stream. In double, with arithmetic that IEEE 754 fixes
// (softsign for SiLU), so that it decides alike on every machine and in training.
#pragma once

#include <cstdint>

#include "elastane/core/allocation/scoring_network.h"

namespace elastane {

inline constexpr int kMostRouterHidden = 1024;

inline constexpr int kMostRouterScratch = 5 * kMostRouterHidden;

// sizes that fit each other, numbers that are finite
Status validate(const RouterWeights& router);
std::uint64_t fingerprint(const RouterWeights& router);

}  // namespace elastane
