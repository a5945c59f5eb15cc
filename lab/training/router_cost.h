// What a step costs in the engine with heads in chosen modes; the dense model beside it, in turn.
#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "elastane/core/allocation/scoring_network.h"
#include "elastane/io/model_file.h"

namespace elastane::lab {

// which heads are full
struct HeadChoice {
  std::vector<bool> full = {};  // one for each head of the model; empty: the router decides
  RouterWeights router = {};
  bool whole_prompt = false;  // the router looks at the whole prompt first (Stream::prefill)
};

// of one step
struct StepCost {
  double macs = 0, dense_macs = 0;
  double micros = 0, dense_micros = 0;  // processor time, the medians over sequences
};

// x: (sequences, steps, inputs)
StepCost step_cost(const ModelFile& file, const HeadChoice& choice, const at::Tensor& x);

}  // namespace elastane::lab
