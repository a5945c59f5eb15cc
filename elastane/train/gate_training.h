// Trains a gate on examples: the features of a step, the loss that each depth would have reached, and its cost.
//
//   const LearnedGate gate = train_gate(examples, {.price = 0.02});
//   save_gate("maze_gate.safetensors", gate);
//
// No back-propagation through time: examples are gathered while an agent runs, then learned from as they are. The scores
// are computed by the run-time gate's own code (core/gate/learned_gate.cpp), within training too, so the gate at run
// time is the gate in training, bit for bit.
#pragma once

#include <cstdint>

#include "elastane/core/allocation/depth_examples.h"
#include "elastane/core/gate/learned_gate.h"
#include "elastane/train/gate_losses.h"

namespace elastane::train {

struct GateTraining {
  GateLossOptions loss = {};
  double price = 0;                  // λ: the price of a unit of cost, in units of the loss
  GateInput sees = GateInput::loss;  // as in the examples
  int hidden = 16;
  int steps = 2000;
  int batch = 512;
  double rate = 0.03;  // at first; a cosine takes it to 0
  double decay = 1e-4;
  std::uint64_t seed = 1;  // of initial weights, batches and noise
};

// throws if examples or options are not valid
LearnedGate train_gate(const DepthExamples& examples, const GateTraining& training = {});

}  // namespace elastane::train
