#include "elastane/core/workspace.h"

#include <utility>

namespace elastane {

Workspace::Workspace(const Network& network, int rows) : network_(&network), capacity_(rows) {
  carve();  // measures
  memory_ = Buffer(reinterpret_cast<std::size_t>(output[capacity_]));
  carve();
}

Workspace::Workspace(const Workspace& other)
    : network_(other.network_), capacity_(other.capacity_), memory_(other.memory_) {
  carve();
}

Workspace& Workspace::operator=(Workspace other) noexcept {
  std::swap(network_, other.network_);
  std::swap(capacity_, other.capacity_);
  std::swap(memory_, other.memory_);
  carve();
  return *this;
}

// every array on its own cache lines, one after the other
void Workspace::carve() {
  const ModelConfig& config = network_->config;
  std::byte* at = memory_.data();
  const auto take = [&](int floats) {
    const Rows rows = {reinterpret_cast<float*>(at), capacity_, padded(floats)};
    at += sizeof(float) * static_cast<std::size_t>(capacity_) * rows.stride;
    return rows;
  };
  row = reinterpret_cast<Row*>(at);
  at += round_up(sizeof(Row) * static_cast<std::size_t>(capacity_), kAlignment);
  input = take(config.inputs * (config.mask_input ? 2 : 1));
  restored = reinterpret_cast<LevelScale*>(at);
  at +=
      round_up(sizeof(LevelScale) * static_cast<std::size_t>(capacity_) * config.normaliser.restore.size(), kAlignment);
  hidden = take(config.width);
  normed = take(config.width);
  readout = take(network_->readout_floats);
  scratch = take(network_->scratch_floats).data;
  output = take(config.outputs);
}

}  // namespace elastane
