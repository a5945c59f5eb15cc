// AdamW (Loshchilov and Hutter 2019), with clipping of the gradient's norm.
//
//   m ← β₁m + (1−β₁)g    v ← β₂v + (1−β₂)g²    w ← w − rate·(m̂/(√v̂ + ε) + decay·w)
//
// Written here, not taken from torch::optim, because a checkpoint needs its moments by name and how that class keeps
// them differs between versions of LibTorch. Only matrices decay.
#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "elastane/train/weights.h"

namespace elastane::train {

struct AdamWOptions {
  double decay = 0.01;
  double beta1 = 0.9, beta2 = 0.999;
  double epsilon = 1e-8;
  double clip = 1;  // largest norm of the gradient; 0: no limit
};

class AdamW {
 public:
  AdamW(const Weights& weights, const ModelConfig& config, const AdamWOptions& options);
  // for leaves that do not belong to a model
  AdamW(const std::vector<NamedTensor>& leaves, const AdamWOptions& options);

  // one step; consumes the weights' gradients and returns their norm before clipping. If that is not finite, nothing
  // changes
  double step(double rate);

  // what a checkpoint keeps
  std::int64_t steps() const { return steps_; }
  void set_steps(std::int64_t steps) { steps_ = steps; }
  std::vector<NamedTensor> moments() const;  // "m.NAME" and "v.NAME"

 private:
  struct Parameter {
    NamedTensor weight;
    at::Tensor m, v;
    bool decays;
  };
  AdamWOptions options_;
  std::vector<Parameter> parameters_;
  std::int64_t steps_ = 0;
};

}  // namespace elastane::train
