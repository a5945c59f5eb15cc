// What a stream does outside its steps: creation, snapshots, going back.
#include <cstring>
#include <string>

#include "elastane/core/snapshot.h"
#include "elastane/core/stream.h"

namespace elastane {

History::History(const Network& network, int depth)
    : depth_(depth > 0 ? depth : 0),
      entry_bytes_(round_up(network.layout.ring + sizeof(float) * network.ring_slot_floats, kAlignment)),
      entries_(static_cast<std::size_t>(depth_) * entry_bytes_) {}

Stream::Stream(const Model& model, const StreamOptions& options)
    : model_(model),
      state_(model.network().layout.size),
      workspace_(model.network(), kChunkRows),
      history_(model.network(), options.history) {
  reset();
}

Status Stream::rewind(int n) {
  if (n < 0 || n > history_.kept()) {
    return Error{"[rewind] expected 0 to " + std::to_string(history_.kept()) + " steps, found " + std::to_string(n) +
                 "; the stream was created with history = " + std::to_string(history_.depth())};
  }
  for (int i = 0; i < n; ++i) history_.pop(model_.network(), state_.data());
  return {};
}

std::size_t Stream::snapshot_bytes() const {
  return elastane::snapshot_bytes(model_.state_bytes(), output().size_bytes());
}

Status Stream::snapshot(std::span<std::byte> bytes) const {
  if (bytes.size() != snapshot_bytes()) {
    return Error{"[snapshot] expected room for " + std::to_string(snapshot_bytes()) + " bytes, found " +
                 std::to_string(bytes.size())};
  }
  write_snapshot(model_.fingerprint(), state(), output(), bytes);
  return {};
}

Status Stream::restore(std::span<const std::byte> bytes) {
  const auto view = read_snapshot(bytes, model_.network());
  if (!view) return Error{view.error()};
  std::memcpy(state_.data(), view->state.data(), view->state.size());
  std::memcpy(workspace_.output[0], view->output.data(), view->output.size());
  history_.clear();
  return {};
}

}  // namespace elastane
