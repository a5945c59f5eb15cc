// What a fleet does outside its steps: creation and snapshots.
#include <cstring>
#include <string>

#include "elastane/core/stream/fleet.h"
#include "elastane/core/stream/snapshot.h"

namespace elastane {

namespace {

const FleetOptions& checked(const FleetOptions& options, const Model& model) {
  validate(options, model).value();
  return options;
}

}  // namespace

Status validate(const FleetOptions& options, const Model& model) { return validate(options.router, model); }

Fleet::Fleet(const Model& model, int streams, const FleetOptions& options)
    : model_(model),
      routing_(checked(options, model).router, options.attention, model),
      streams_(streams > 0 ? streams : 0),
      states_(static_cast<std::size_t>(streams_) * model.network().layout.size),
      outputs_(sizeof(float) * static_cast<std::size_t>(streams_) * model.network().config.outputs),
      workspace_(model.network(), kFleetRows) {
  reset();
}

std::size_t Fleet::snapshot_bytes() const {
  return elastane::snapshot_bytes(stride(), sizeof(float) * model_.network().config.outputs);
}

Status Fleet::snapshot(int stream, std::span<std::byte> bytes) const {
  if (stream < 0 || stream >= streams_ || bytes.size() != snapshot_bytes()) {
    return Error{"[snapshot] expected a stream below " + std::to_string(streams_) + " and room for " +
                 std::to_string(snapshot_bytes()) + " bytes, found stream " + std::to_string(stream) + " and " +
                 std::to_string(bytes.size()) + " bytes"};
  }
  write_snapshot(model_.fingerprint() ^ routing_.fingerprint(), {state(stream), stride()}, output(stream), bytes);
  return {};
}

Status Fleet::restore(int stream, std::span<const std::byte> bytes) {
  if (stream < 0 || stream >= streams_) {
    return Error{"[snapshot] expected a stream below " + std::to_string(streams_) + ", found " +
                 std::to_string(stream)};
  }
  const auto view = read_snapshot(bytes, model_.network(), model_.fingerprint() ^ routing_.fingerprint(), stride());
  if (!view) return Error{view.error()};
  std::memcpy(state(stream), view->state.data(), view->state.size());
  std::memcpy(output_of(stream), view->output.data(), view->output.size());
  return {};
}

}  // namespace elastane
