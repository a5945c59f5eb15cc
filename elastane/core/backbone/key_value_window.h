// A window of keys and values in a stream's ring. Any block that attends to earlier steps may declare one.
//
// Keys lie as [channel][slot], so that the scores of many steps are one vector; values as [slot][channel].
#pragma once

#include "elastane/core/backbone/state_classes.h"
#include "elastane/core/math/kernels.h"

namespace elastane {

struct KeyValueWindow {
  AttentionShape shape;
  int channels = 0;  // of all key heads
  int begin = 0;     // in the stream's ring, in floats

  int key_floats() const { return channels * shape.slots; }
  // the last head's values may be loaded past their end, hence one more lane
  int floats() const { return key_floats() + shape.window * shape.kv_stride + kLane; }

  RingPart keys() const { return {.begin = begin, .window = shape.window, .count = channels, .stride = shape.slots}; }
  RingPart values() const {
    return {.begin = begin + key_floats(),
            .window = shape.window,
            .slot_stride = shape.kv_stride,
            .count = channels,
            .stride = 1};
  }

  // steps in the window once the step at `position` has been written
  int filled(std::uint64_t position) const {
    return position + 1 < static_cast<std::uint64_t>(shape.window) ? static_cast<int>(position + 1) : shape.window;
  }
};

}  // namespace elastane
