// The last states of a stream, in a ring of bounded size, so that it can go back a few steps.
//
// A step rewrites the dense part of a state but only one slot of each window; an entry keeps just that, so history of a
// model with long windows stays cheap.
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

  // before a step: keep what the step will overwrite
  void push(const Network& network, const std::byte* state);
  // after it: undo the newest kept step
  void pop(const Network& network, std::byte* state);

 private:
  std::byte* entry(int index) { return entries_.data() + static_cast<std::size_t>(index) * entry_bytes_; }

  int depth_, kept_ = 0, next_ = 0;
  std::size_t extra_, entry_bytes_;
  Buffer entries_;
};

}  // namespace elastane
