// Trains the router of a frozen model's heads: which head looks at the whole past, for which sequence.
//
//   examples   subsets of full heads that are cheapest by KL(dense ‖ routed) + ε per head, found by search for each
//              sequence, then classification (router_examples.h). No task names, targets, multipliers or temperatures;
//              ε has a unit, nats per label
//   paper      Gumbel, straight-through; loss + λ₁d + λ₂d², d = sparse share − target of the task, signed; λ by ascent
//   released   the same with |d|, the rates and the temperatures of the released code
//   price      KL(dense ‖ routed) + price · share of full heads, through the same drawn choices
//
// The last three are those of Elastic Attention (arXiv 2601.17367, eq. 8) and its code; docs/science.md says how they differ.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "elastane/core/backbone/head_router.h"
#include "elastane/train/head_search.h"
#include "elastane/train/router_network.h"

namespace elastane::train {

enum class RouterMethod : std::uint8_t { examples, paper, released, price };
inline constexpr RouterMethod kRouterMethods[] = {RouterMethod::examples, RouterMethod::paper, RouterMethod::released,
                                                  RouterMethod::price};
std::string_view name(RouterMethod method);

struct RouterTraining {
  RouterMethod method = RouterMethod::examples;
  StreamingMask mask = {};
  Pooling pooling = Pooling::edges_maximum;
  int hidden = 64;
  std::uint64_t seed = 1;  // of initial weights, batches and noise
  double rate = 1e-2;      // at first; a cosine takes it to 0
  int steps = 0;           // 0: 1600 with examples, 200 otherwise
  int batch = 0;           // 0: 128 decisions with examples, 16 sequences otherwise
  // of examples
  double epsilon = 0.01;      // nats per label that a full head must save
  int most_full = 0;          // 0: half of the heads
  double idle_weight = 0.05;  // of a block of queries without labels, which could stream
  // of the others
  bool by_block = false;                               // decide at each block while training, not once
  double first_temperature = 0, last_temperature = 0;  // 0: the method's own
  bool noise = true;
  std::vector<double> targets = {};  // sparse share of each task, for paper and released; empty: 0.85 for all
  double multiplier_rate = 0;        // 0: the method's own
  double price = 1.0;                // of all heads full, in nats per label
  std::function<void(double share, double loss)> progress = {};
};

struct TrainedRouter {
  RouterNetwork network;
  Pooling pooling;
  StreamingMask mask;
  HeadExamples examples = {};            // of method `examples`
  double offset = 0;                     // of method `examples`: what was added to all logits in the end
  std::vector<double> multipliers = {};  // λ₁, λ₂ of each task, at the end
};

// what a stream takes: for the model of this fingerprint; pooling must be edges_maximum, which is what streams keep
RouterWeights router_weights(const TrainedRouter& router, std::uint64_t model);

// throws if data or options are not valid; freezes the model
TrainedRouter train_router(const SequenceModel& model, const RouterData& data, const RouterTraining& training);

}  // namespace elastane::train
