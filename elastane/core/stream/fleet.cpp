// Real-time code only.
// The verbs of a step. What may allocate or fail is in fleet_setup.cpp.
#include "elastane/core/stream/fleet.h"

#include <cstring>

#include "elastane/core/stream/fleet_parts.h"

namespace elastane {
AdvanceReport Fleet::advance(std::span<const float> x, std::span<const std::uint8_t> present,
                             std::span<const float> dt) {
  const Network& network = parts_->model.network();
  const auto inputs = static_cast<std::size_t>(network.config.inputs);
  const auto outputs = static_cast<std::size_t>(network.config.outputs);
  AdvanceReport report = begin_report(parts_->workspace);
  Sample samples[kFleetRows];
  std::byte* states[kFleetRows];
  for (int first = 0; first < parts_->streams; first += kFleetRows) {
    const int count = parts_->streams - first < kFleetRows ? parts_->streams - first : kFleetRows;
    for (int r = 0; r < count; ++r) {
      const auto i = static_cast<std::size_t>(first + r);
      samples[r] = {row_of(x, i, inputs), row_of(present, i, inputs), i < dt.size() ? dt[i] : 1.0F};
      states[r] = parts_->state(first + r);
    }
    elastane::advance(network, {samples, static_cast<std::size_t>(count)}, states, true, parts_->workspace, report,
                      parts_->routing.options());
    for (int r = 0; r < count; ++r) {
      std::memcpy(parts_->output(first + r), parts_->workspace.output[r], sizeof(float) * outputs);
    }
  }
  return report;
}

int Fleet::size() const { return parts_->streams; }
const Model& Fleet::model() const { return parts_->model; }

std::span<const float> Fleet::outputs() const {
  return {reinterpret_cast<const float*>(parts_->outputs.data()),
          static_cast<std::size_t>(parts_->streams) * parts_->model.network().config.outputs};
}

std::span<const float> Fleet::output(int stream) const {
  if (stream < 0 || stream >= size()) return {};
  const auto n = static_cast<std::size_t>(parts_->model.network().config.outputs);
  return outputs().subspan(static_cast<std::size_t>(stream) * n, n);
}

std::uint64_t Fleet::position(int stream) const {
  if (stream < 0 || stream >= size()) return 0;
  return reinterpret_cast<const StateHeader*>(parts_->state(stream))->position;
}

void Fleet::reset(int stream) {
  if (stream < 0 || stream >= size()) return;
  const Network& network = parts_->model.network();
  reset_state(network, parts_->state(stream));
  std::memset(parts_->output(stream), 0, sizeof(float) * static_cast<std::size_t>(network.config.outputs));
}

void Fleet::reset() {
  for (int stream = 0; stream < parts_->streams; ++stream) reset(stream);
}

}  // namespace elastane
