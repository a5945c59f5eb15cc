// The verbs of a step: real-time code only. What may allocate or fail is in stream_setup.cpp.
#include "elastane/core/stream.h"

#include <cstring>

namespace elastane {

AdvanceReport Stream::advance(std::span<const float> x, std::span<const std::uint8_t> present, float dt) {
  const Network& network = model_.network();
  history_.push(network, state_.data());
  const Sample sample{x, present, dt};
  std::byte* state = state_.data();
  return elastane::advance(network, {&sample, 1}, &state, true, workspace_);
}

AdvanceReport Stream::advance_chunk(std::span<const float> x, std::span<float> y) {
  const Network& network = model_.network();
  const auto inputs = static_cast<std::size_t>(network.config.inputs);
  const auto outputs = static_cast<std::size_t>(network.config.outputs);
  const int rows = static_cast<int>(x.size() / inputs);
  // with history every step must be seen on its own
  const int tile = history_.depth() > 0 ? 1 : workspace_.capacity();
  AdvanceReport total;
  Sample samples[kChunkRows];
  std::byte* states[kChunkRows];
  for (int first = 0; first < rows; first += tile) {
    const int count = rows - first < tile ? rows - first : tile;
    for (int r = 0; r < count; ++r) {
      samples[r] = {x.subspan((first + r) * inputs, inputs), {}, 1.0F};
      states[r] = state_.data();
    }
    history_.push(network, state_.data());
    const AdvanceReport report =
        elastane::advance(network, {samples, static_cast<std::size_t>(count)}, states, false, workspace_);
    total.missing += report.missing;
    total.not_finite += report.not_finite;
    for (int r = 0; r < count; ++r) {
      const std::size_t at = (first + r) * outputs;
      if (at + outputs <= y.size()) std::memcpy(y.data() + at, workspace_.output[r], sizeof(float) * outputs);
    }
    if (count > 1) std::memcpy(workspace_.output[0], workspace_.output[count - 1], sizeof(float) * outputs);
  }
  return total;
}

std::span<const float> Stream::output() const {
  return {workspace_.output[0], static_cast<std::size_t>(model_.network().config.outputs)};
}

void Stream::reset() {
  const Network& network = model_.network();
  reset_state(network, state_.data());
  std::memset(workspace_.output[0], 0, sizeof(float) * workspace_.output.stride);
  history_.clear();
}

}  // namespace elastane
