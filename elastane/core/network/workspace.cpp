#include "elastane/core/network/workspace.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace elastane {

namespace {

// of the layer, mix or head that needs most
std::size_t widest_scratch(const Network& network, int rows) {
  std::size_t floats = scratch_floats(network.head, rows);
  for (const Layer& layer : network.layers) {
    visit_block(layer.block, [&](const auto& block) { floats = std::max(floats, scratch_floats(block, rows)); });
    floats = std::max(floats, static_cast<std::size_t>(rows) * layer.mix_weight.rows);
  }
  return floats;
}

}  // namespace

Workspace::Workspace(const Network& network, int rows) : network_(&network), capacity_(rows) {
  memory_ = Buffer(carve());  // the first time it measures
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

// Every array on its own cache lines, one after the other; returns where the last one ends, counted from the first. In
// numbers, because there is no memory yet when it measures.
std::size_t Workspace::carve() {
  const ModelConfig& config = network_->config;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory_.data());
  std::uintptr_t at = begin;
  const auto take = [&](std::size_t bytes) {
    const std::uintptr_t taken = at;
    at += round_up(bytes, kAlignment);
    return taken;
  };
  const auto rows = static_cast<std::size_t>(capacity_);
  const auto floats = [&](int n) {
    return Rows{reinterpret_cast<float*>(take(sizeof(float) * rows * padded(n))), capacity_, padded(n)};
  };
  row = reinterpret_cast<Row*>(take(sizeof(Row) * rows));
  input = floats(config.inputs * (config.mask_input ? 2 : 1));
  restored = reinterpret_cast<LevelScale*>(take(sizeof(LevelScale) * rows * config.normaliser.restore.size()));
  hidden = floats(config.width);
  normed = floats(config.width);
  readout = floats(network_->readout_floats);
  scratch = reinterpret_cast<float*>(take(sizeof(float) * widest_scratch(*network_, capacity_)));
  output = floats(config.outputs);
  return at - begin;
}

}  // namespace elastane
