// What the last steps overwrote in a stream's state, so that the stream can go back a few steps.
//
// An entry keeps of every class of state (backbone/state_classes.h) only what one step changes: the dense part whole,
// one slot of each window, and of slow states the rows that the step changed. So the history of a model with long
// windows or large memories stays cheap.
#pragma once

#include <cstddef>
#include <cstdint>

#include "elastane/core/base/buffer.h"
#include "elastane/core/network/network.h"

namespace elastane {

class History {
 public:
  // `extra` bytes behind the network's state are kept whole
  History(const Network& network, int depth, std::size_t extra = 0);

  int depth() const { return depth_; }
  int kept() const { return kept_; }  // steps that can be taken back now
  void clear() { kept_ = 0; }

  // before a step: keeps what the step will overwrite
  void push(const Network& network, const std::byte* state);
  // after it: keeps the rows of slow states that it changed, as the workspace logged them
  void keep_changes(const Network& network, const float* slow_log);
  // undoes the newest kept step
  void pop(const Network& network, std::byte* state);

 private:
  std::byte* entry(int index) { return entries_.data() + static_cast<std::size_t>(index) * entry_bytes_; }
  int newest() const { return next_ == 0 ? depth_ - 1 : next_ - 1; }
  // of an entry: dense and all before it, then the slots of rings, then the logs of slow states, then the extra bytes
  static float* slots_of(const Network& network, std::byte* entry) {
    return reinterpret_cast<float*>(entry + network.layout.ring);
  }
  static float* logs_of(const Network& network, std::byte* entry) {
    return slots_of(network, entry) + network.layout.slot_floats;
  }

  int depth_, kept_ = 0, next_ = 0;
  std::size_t extra_, entry_bytes_;
  Buffer entries_;
};

}  // namespace elastane
