// What a fleet does outside its steps: creation and snapshots.
#include <cstring>
#include <string>

#include "elastane/core/stream/fleet.h"
#include "elastane/core/stream/fleet_parts.h"
#include "elastane/core/stream/snapshot.h"

namespace elastane {

namespace {

constexpr int kMostStreams = 1 << 24;
constexpr int kMostWorkers = 1 << 10;

Status check_count(const char* what, int count, int most) {
  if (count >= 1 && count <= most) return {};
  return Error{"[fleet] " + std::string(what) + ": expected 1 to " + std::to_string(most) + ", found " +
               std::to_string(count)};
}

Status check(const Model& model, int streams, const FleetOptions& options) {
  ELASTANE_TRY(check_count("streams", streams, kMostStreams));
  return validate(options, model);
}

Status check(const Model& model, int streams, const StreamOptions& options, int workers) {
  ELASTANE_TRY(check_count("streams", streams, kMostStreams));
  ELASTANE_TRY(check_count("workers", workers, kMostWorkers));
  if (!options.corrector) return Error{"[fleet] corrector: expected options of one, found none; a Fleet only predicts"};
  return validate(options, model);
}

int checked(const Model& model, int streams, const FleetOptions& options) {
  check(model, streams, options).value();
  return streams;
}

}  // namespace

Status validate(const FleetOptions& options, const Model& model) { return validate(options.router, model); }

FleetParts::FleetParts(const Model& shared, int count, const FleetOptions& options)
    : model(shared),
      routing(options.router, options.attention, options.recursion, shared),
      streams(count),
      states(static_cast<std::size_t>(streams) * model.network().layout.size),
      outputs(sizeof(float) * static_cast<std::size_t>(streams) * model.network().config.outputs),
      workspace(model.network(), kFleetRows) {}

Fleet::Fleet(const Model& model, int streams, const FleetOptions& options)
    : parts_(Owned<FleetParts>::make(model, checked(model, streams, options), options)) {
  reset();
}

Result<Fleet> Fleet::create(const Model& model, int streams, const FleetOptions& options) {
  ELASTANE_TRY(check(model, streams, options));
  return Fleet(model, streams, options);
}

std::size_t Fleet::snapshot_bytes() const {
  return elastane::snapshot_bytes(parts_->stride(), sizeof(float) * parts_->model.network().config.outputs);
}

Status Fleet::snapshot(int stream, std::span<std::byte> bytes) const {
  if (stream < 0 || stream >= parts_->streams || bytes.size() != snapshot_bytes()) {
    return Error{"[snapshot] expected a stream below " + std::to_string(parts_->streams) + " and room for " +
                 std::to_string(snapshot_bytes()) + " bytes, found stream " + std::to_string(stream) + " and " +
                 std::to_string(bytes.size()) + " bytes"};
  }
  write_snapshot(parts_->fingerprint(), {parts_->state(stream), parts_->stride()}, output(stream), bytes);
  return {};
}

Status Fleet::restore(int stream, std::span<const std::byte> bytes) {
  if (stream < 0 || stream >= parts_->streams) {
    return Error{"[snapshot] expected a stream below " + std::to_string(parts_->streams) + ", found " +
                 std::to_string(stream)};
  }
  const auto view = read_snapshot(bytes, parts_->model.network(), parts_->fingerprint(), parts_->stride());
  if (!view) return Error{view.error()};
  std::memcpy(parts_->state(stream), view->state.data(), view->state.size());
  std::memcpy(parts_->output(stream), view->output.data(), view->output.size());
  return {};
}

CorrectedFleetParts::CorrectedFleetParts(const Model& model, int count, const StreamOptions& options, int workers)
    : streams(static_cast<std::size_t>(count),
              Stream(model, options)),  // copies share what a corrector derives of weights
      reports(static_cast<std::size_t>((count + kCorrectedTile - 1) / kCorrectedTile)) {
  for (int i = 0; i < workers; ++i) workspaces.emplace_back(model.network(), kCorrectedTile);
}

CorrectedFleet::CorrectedFleet(const Model& model, int streams, const StreamOptions& options, int workers)
    : parts_((check(model, streams, options, workers).value(),
              Owned<CorrectedFleetParts>::make(model, streams, options, workers))) {}

Result<CorrectedFleet> CorrectedFleet::create(const Model& model, int streams, const StreamOptions& options,
                                              int workers) {
  ELASTANE_TRY(check(model, streams, options, workers));
  return CorrectedFleet(model, streams, options, workers);
}

}  // namespace elastane
