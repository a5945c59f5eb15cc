// What survives a step: one contiguous block of bytes. Copy it to fork a stream, write it to snapshot it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "elastane/core/network/network.h"

namespace elastane {

// a state as it is before the first step
void reset_state(const Network& network, std::byte* state);

// Is everything in it finite? What steps write always is; bytes from outside may be arbitrary
bool is_sound(const Network& network, std::span<const std::byte> state);

// the parts of a state, by name; StateLayout says which stage writes them
class StateView {
 public:
  StateView(std::byte* data, const StateLayout& layout) : data_(data), layout_(&layout) {}

  StateHeader& header() const { return *reinterpret_cast<StateHeader*>(data_); }
  ChannelStatistics* statistics() const { return reinterpret_cast<ChannelStatistics*>(data_ + layout_->statistics); }
  float* last() const { return reinterpret_cast<float*>(data_ + layout_->last); }
  float* encoded() const { return reinterpret_cast<float*>(data_ + layout_->encoded); }
  float* dense() const { return reinterpret_cast<float*>(data_ + layout_->dense); }
  float* ring() const { return reinterpret_cast<float*>(data_ + layout_->ring); }
  float* slow() const { return reinterpret_cast<float*>(data_ + layout_->slow); }
  std::byte* data() const { return data_; }

 private:
  std::byte* data_;
  const StateLayout* layout_;
};

}  // namespace elastane
