// What survives a training step: the states of many streams side by side, the twin of a core State.
#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "elastane/core/stream/stream.h"
#include "elastane/train/block.h"

namespace elastane::train {

struct SequenceState {
  at::Tensor position;    // (batch), int64: steps taken
  at::Tensor time;        // (batch), double: sum of their dt
  at::Tensor statistics;  // (batch, inputs, 3), double: level, variance, samples
  at::Tensor last;        // (batch, inputs): last value of every input
  at::Tensor encoded;     // (batch, width): h before the first block, in the last step
  std::vector<BlockState> blocks;

  std::int64_t streams() const { return position.size(0); }

  // the same values, cut off from the graph that made them: where truncated back-propagation ends
  SequenceState detached() const;

  // streams of `fresh` where `mask` (batch, bool), ours elsewhere
  SequenceState where(const at::Tensor& mask, const SequenceState& fresh) const;

  // f for every tensor, in a fixed order
  template <class F>
  void each(F f) {
    for (at::Tensor* t : {&position, &time, &statistics, &last, &encoded}) f(*t);
    for (BlockState& block : blocks) {
      for (at::Tensor& t : block) f(t);
    }
  }
};

// gives one stream's state to a stream of the same model, which continues from there; its output is `y`
Status hand_over(const SequenceState& state, std::int64_t row, std::span<const float> y, Stream& stream);

}  // namespace elastane::train
