// Trains a gate on lessons: what steps showed, what each depth would have made of them, and what it costs.
//
//   const LearnedGate gate = train_gate(lessons, {.price = 0.02});
//   save_gate("maze_gate.safetensors", gate);
//
// No back-propagation through time: lessons are gathered where an agent goes, then learned from as they are. The scores
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
  double price = 0;                  // λ: what a unit of cost is worth, in units of the loss
  GateInput sees = GateInput::loss;  // as where the lessons come from
  int hidden = 16;
  int steps = 2000;
  int batch = 512;
  double rate = 0.03;  // at first; a cosine takes it to 0
  double decay = 1e-4;
  std::uint64_t seed = 1;  // of the first weights, of batches, of noise
};

// throws where lessons or options make no sense
LearnedGate train_gate(const DepthExamples& lessons, const GateTraining& training = {});

// o for features (lessons, F), with derivatives to the weights of LearnedGate, which have its shapes
at::Tensor gate_scores(const at::Tensor& features, const at::Tensor& hidden_weight, const at::Tensor& hidden_bias,
                       const at::Tensor& score_weight, const at::Tensor& score_bias);

}  // namespace elastane::train
