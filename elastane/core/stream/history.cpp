// Real-time code only.
#include "elastane/core/stream/history.h"

#include <cstring>

#include "elastane/core/network/state.h"

namespace elastane {

void History::push(const Network& network, const std::byte* state) {
  if (depth_ == 0) return;
  const StateLayout& layout = network.layout;
  std::byte* to = entry(next_);
  std::memcpy(to, state, layout.ring);  // header, statistics, dense
  const auto* ring = reinterpret_cast<const float*>(state + layout.ring);
  const std::uint64_t position = reinterpret_cast<const StateHeader*>(state)->position;
  float* slots = slots_of(network, to);
  for (const RingPart& part : layout.rings) {
    save_slot(part, ring, position, slots);
    slots += part.count;
  }
  for (const SlowPart& part : layout.slow_parts) logs_of(network, to)[part.log] = 0;
  std::memcpy(to + entry_bytes_ - extra_, state + layout.size, extra_);
  next_ = next_ + 1 == depth_ ? 0 : next_ + 1;
  kept_ = kept_ < depth_ ? kept_ + 1 : depth_;
}

void History::keep_changes(const Network& network, const float* slow_log) {
  if (kept_ == 0) return;
  float* logs = logs_of(network, entry(newest()));
  for (const SlowPart& part : network.layout.slow_parts) {
    const float* log = slow_log + part.log;
    std::memcpy(logs + part.log, log, sizeof(float) * static_cast<std::size_t>(part.shape.logged_floats(log)));
  }
}

void History::pop(const Network& network, std::byte* state) {
  if (kept_ == 0) return;
  next_ = newest();
  --kept_;
  std::byte* from = entry(next_);
  std::memcpy(state, from, network.layout.ring);
  const StateView view(state, network.layout);
  const float* slots = slots_of(network, from);
  for (const RingPart& part : network.layout.rings) {
    restore_slot(part, slots, view.header().position, view.ring());
    slots += part.count;
  }
  for (const SlowPart& part : network.layout.slow_parts) {
    SlowState(view.slow() + part.begin, logs_of(network, from) + part.log, part.shape).undo();
  }
  std::memcpy(state + network.layout.size, from + entry_bytes_ - extra_, extra_);
}

}  // namespace elastane
