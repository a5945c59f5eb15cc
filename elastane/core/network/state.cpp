// Real-time code only.
#include "elastane/core/network/state.h"

#include <cmath>
#include <cstring>

namespace elastane {
namespace {

template <class T>
bool all_finite(std::span<const std::byte> bytes) {
  for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    if (!std::isfinite(value)) return false;
  }
  return true;
}

}  // namespace

void reset_state(const Network& network, std::byte* state) {
  const StateLayout& layout = network.layout;
  std::memcpy(state, network.initial.data(), layout.ring);
  std::memset(state + layout.ring, 0, layout.slow - layout.ring);
  if (layout.size > layout.slow)
    std::memcpy(state + layout.slow, network.initial_slow.data(), layout.size - layout.slow);
}

bool is_sound(const Network& network, std::span<const std::byte> state) {
  const StateLayout& layout = network.layout;
  StateHeader header;
  std::memcpy(&header, state.data(), sizeof(header));
  return std::isfinite(header.time) &&
         all_finite<double>(state.subspan(layout.statistics, layout.last - layout.statistics)) &&
         all_finite<float>(state.subspan(layout.last, layout.size - layout.last)) &&
         all_finite<double>(state.subspan(layout.size));
}

}  // namespace elastane
