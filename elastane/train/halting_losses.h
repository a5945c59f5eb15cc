// The loss of a halting rule: how scores of every depth learn when to stop, from the loss at every depth.
//
//   ranking    .7·mean_{E×H} max(0, s_hard − s_easy + δ) − .3·(mean_E log s + mean_H log(1 − s)), s = σ(o)
//              FROST (22)–(24), with the sign of (23) put right; E and H are the quarters of all (example, depth) pairs
//              with the lowest and the highest loss, so only the ranks of losses count
//   stay       binary cross-entropy of "the answer does not change any more"
//   marginal, ponder, act      those of gates (gate_losses.h), over depths 1 … T at a price per iteration
#pragma once

#include "elastane/train/gate_losses.h"

namespace elastane::train {

enum class HaltLoss : std::uint8_t { ranking, stay, marginal, ponder, act };
inline constexpr HaltLoss kHaltLosses[] = {HaltLoss::ranking, HaltLoss::stay, HaltLoss::marginal, HaltLoss::ponder,
                                           HaltLoss::act};
std::string_view name(HaltLoss loss);

struct HaltLossOptions {
  HaltLoss kind = HaltLoss::stay;
  double relative = 0.7, absolute = 0.3;  // weights of the two parts of ranking
  double distance = 0.2;                  // δ
  double share = 0.25;                    // of pairs that are easy, and that are hard
  double price = 0.01;                    // of an iteration, for those of gates
  bool joint = false;                     // losses have a gradient, too: the backbone learns to be ready early
};

// what every depth gave
struct DepthOutcomes {
  at::Tensor losses;   // (examples, T)
  at::Tensor answers;  // classes, (examples, T); for stay
};

// scores o are (examples, T). Whether they have a gradient to the backbone is the caller's choice: score h.detach(), or h
at::Tensor halt_loss(const at::Tensor& o, const DepthOutcomes& outcomes, const HaltLossOptions& options,
                     Random& random);

// which answers are those of all larger depths, too (examples, T)
at::Tensor stays(const at::Tensor& answers);

}  // namespace elastane::train
