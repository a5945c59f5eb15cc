// Real-time code only.
// The verbs of a step. What may allocate or fail is in fleet_setup.cpp.
#include "elastane/core/stream/fleet.h"

#include <cstring>

namespace elastane {
namespace {

// row i of a matrix of which the end may be missing
template <class T>
std::span<const T> row_of(std::span<const T> matrix, std::size_t i, std::size_t n) {
  const std::size_t first = i * n;
  if (first >= matrix.size()) return {};
  return matrix.subspan(first, matrix.size() - first < n ? matrix.size() - first : n);
}

}  // namespace

AdvanceReport Fleet::advance(std::span<const float> x, std::span<const std::uint8_t> present,
                             std::span<const float> dt) {
  const Network& network = model_.network();
  const auto inputs = static_cast<std::size_t>(network.config.inputs);
  const auto outputs = static_cast<std::size_t>(network.config.outputs);
  AdvanceReport report = begin_report(workspace_);
  Sample samples[kFleetRows];
  std::byte* states[kFleetRows];
  for (int first = 0; first < streams_; first += kFleetRows) {
    const int count = streams_ - first < kFleetRows ? streams_ - first : kFleetRows;
    for (int r = 0; r < count; ++r) {
      const auto i = static_cast<std::size_t>(first + r);
      samples[r] = {row_of(x, i, inputs), row_of(present, i, inputs), i < dt.size() ? dt[i] : 1.0F};
      states[r] = state(first + r);
    }
    elastane::advance(network, {samples, static_cast<std::size_t>(count)}, states, true, workspace_, report,
                      routing_.options());
    for (int r = 0; r < count; ++r) {
      std::memcpy(output_of(first + r), workspace_.output[r], sizeof(float) * outputs);
    }
  }
  return report;
}

float* Fleet::output_of(int stream) {
  return reinterpret_cast<float*>(outputs_.data()) +
         static_cast<std::ptrdiff_t>(stream) * model_.network().config.outputs;
}

std::span<const float> Fleet::outputs() const {
  return {reinterpret_cast<const float*>(outputs_.data()),
          static_cast<std::size_t>(streams_) * model_.network().config.outputs};
}

std::span<const float> Fleet::output(int stream) const {
  const auto n = static_cast<std::size_t>(model_.network().config.outputs);
  return outputs().subspan(static_cast<std::size_t>(stream) * n, n);
}

std::uint64_t Fleet::position(int stream) const {
  return reinterpret_cast<const StateHeader*>(state(stream))->position;
}

void Fleet::reset(int stream) {
  const Network& network = model_.network();
  reset_state(network, state(stream));
  std::memset(output_of(stream), 0, sizeof(float) * static_cast<std::size_t>(network.config.outputs));
}

void Fleet::reset() {
  for (int stream = 0; stream < streams_; ++stream) reset(stream);
}

}  // namespace elastane
