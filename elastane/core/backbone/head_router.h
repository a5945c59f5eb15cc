// Decides for every key head of an attention block whether it is full or streaming (arXiv 2601.17367, eqs. 4 and 5).
//
//   code = TaskMLP(pooled keys of all heads, code before)     logits = RouterMLP(code)     head h is full where logit h > 0
//
// A router sees the keys of every head of its block, where the paper's sees those of the head that it decides for: a head
// of 16 channels cannot tell what a step of 64 said, all heads together can. It may also see the code of the router of the
// attention block before: while the heads there stream, later keys do not show an instruction that lies far back, but the
// keys of the first block do. It runs once in `block` steps, on pools of
// the past (key_pools.h), so its cost does not depend on the length of the stream. In double, with arithmetic that IEEE 754 fixes
// (softsign for SiLU), so that it decides alike on every machine and in training.
#pragma once

#include <cstdint>

#include "elastane/core/allocation/scoring_network.h"

namespace elastane {

inline constexpr int kMostRouterHidden = 1024, kMostRouterChannels = 4096, kMostRouterHeads = 1024;

inline constexpr int kMostRouterScratch = 5 * kMostRouterHidden;

// the logit of `full` of every key head; `scratch` has room for router.scratch_doubles(). Returns the code, in scratch
const double* head_logits(const HeadRouter& router, const double* features, double* scratch, double* logits);

// sizes that fit each other, numbers that are finite
Status validate(const RouterWeights& router);
std::uint64_t fingerprint(const RouterWeights& router);

}  // namespace elastane
