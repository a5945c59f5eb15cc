// A window of keys and values in a stream's ring, in panels (AttentionShape). Any block that attends to earlier steps may
// declare one.
#pragma once

#include <vector>

#include "elastane/core/backbone/state_classes.h"
#include "elastane/core/math/kernels.h"

namespace elastane {

struct KeyValueWindow {
  AttentionShape shape;
  int begin = 0;  // in the stream's ring, in floats

  int floats() const { return shape.panels() * shape.panel_words(); }
  int slots() const { return shape.turning * shape.block; }  // that are overwritten in turn

  // of one step: the keys of all heads, and the values of one head
  RingPart keys() const {
    RingPart part = slots_in(begin);
    part.count = shape.kv_heads * shape.key_rows();
    part.stride = shape.block;
    return part;
  }
  RingPart values(int head) const {
    RingPart part = slots_in(begin + static_cast<int>(shape.values_at(0, head)));
    part.slot_stride = shape.value_words();
    part.count = shape.value_words();
    return part;
  }
  std::vector<RingPart> parts() const {
    std::vector<RingPart> all = {keys()};
    for (int head = 0; head < shape.kv_heads; ++head) all.push_back(values(head));
    return all;
  }

  // the panel that holds, or will hold, a block of steps
  int panel(std::uint64_t block) const {
    const auto sink = static_cast<std::uint64_t>(shape.sink);
    if (block < sink) return static_cast<int>(block);
    return shape.sink + static_cast<int>((block - sink) % static_cast<std::uint64_t>(shape.turning));
  }

  // steps in the window once the step at `position` has been written
  int filled(std::uint64_t position) const {
    return position + 1 < static_cast<std::uint64_t>(shape.window) ? static_cast<int>(position + 1) : shape.window;
  }
  // steps that can be written from `position` on before one is lost that the first of them still sees
  int room(std::uint64_t position) const {
    const auto before = static_cast<std::uint64_t>(shape.window - 1);
    return slots() - static_cast<int>(position < before ? position : before);
  }

  // writes one step: `key` [head][size], `value` [head][size]; what is not admissible becomes zero
  void write(const float* key, const float* value, std::uint64_t position, float* ring) const;

 private:
  RingPart slots_in(int first) const {
    return {.begin = first,
            .window = slots(),
            .kept = shape.sink * shape.block,
            .panel = shape.block,
            .panel_stride = shape.panel_words()};
  }
};

}  // namespace elastane
