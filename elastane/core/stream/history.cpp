// Real-time code only.
#include "elastane/core/stream/history.h"

#include <cstring>

#include "elastane/core/network/state.h"

namespace elastane {
namespace {

template <class F>
void for_each_window(const Network& network, F f) {
  for (const Layer& layer : network.layers) {
    if (const auto* attention = std::get_if<Attention>(&layer.block)) f(*attention);
  }
}

}  // namespace

void History::push(const Network& network, const std::byte* state) {
  if (depth_ == 0) return;
  std::byte* to = entry(next_);
  std::memcpy(to, state, network.layout.ring);  // header, statistics, dense
  auto* slots = reinterpret_cast<float*>(to + network.layout.ring);
  const auto* ring = reinterpret_cast<const float*>(state + network.layout.ring);
  const std::uint64_t position = reinterpret_cast<const StateHeader*>(state)->position;
  for_each_window(network, [&](const Attention& attention) {
    save_slot(attention, ring, position, slots);
    slots += attention.slot_floats();
  });
  std::memcpy(to + entry_bytes_ - extra_, state + network.layout.size, extra_);
  next_ = next_ + 1 == depth_ ? 0 : next_ + 1;
  kept_ = kept_ < depth_ ? kept_ + 1 : depth_;
}

void History::pop(const Network& network, std::byte* state) {
  if (kept_ == 0) return;
  next_ = next_ == 0 ? depth_ - 1 : next_ - 1;
  --kept_;
  const std::byte* from = entry(next_);
  std::memcpy(state, from, network.layout.ring);
  const auto* slots = reinterpret_cast<const float*>(from + network.layout.ring);
  const StateView view(state, network.layout);
  for_each_window(network, [&](const Attention& attention) {
    restore_slot(attention, slots, view.header().position, view.ring());
    slots += attention.slot_floats();
  });
  std::memcpy(state + network.layout.size, from + entry_bytes_ - extra_, extra_);
}

}  // namespace elastane
