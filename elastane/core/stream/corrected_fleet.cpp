// Real-time code only.
// The verbs of a step of many corrected streams. What may allocate or fail is in fleet_setup.cpp.
#include "elastane/core/stream/fleet.h"
#include "elastane/core/stream/fleet_parts.h"
#include "elastane/core/stream/stream_engine.h"

namespace elastane {
namespace {

// what all pieces of one verb share
struct FleetWork {
  CorrectedFleetParts* parts;
  std::span<const float> x = {}, labels = {};
  std::span<const std::uint8_t> present = {};
  std::span<const float> dt = {};
  Budget budget = {};
  std::span<StepReport> reports = {};

  void each(void (*piece)(const void*, int, int), Runner* runner) const {
    const WorkItem item{piece, this};
    if (runner != nullptr && parts->workspaces.size() > 1) return runner->run(parts->tiles(), item);
    for (int tile = 0; tile < parts->tiles(); ++tile) item(tile, 0);
  }
};

// [first, end) of the streams of a tile
struct Range {
  std::size_t first, end;
  Range(const CorrectedFleetParts& parts, int tile) : first(static_cast<std::size_t>(tile) * kCorrectedTile) {
    end = first + kCorrectedTile < parts.streams.size() ? first + kCorrectedTile : parts.streams.size();
  }
};

void add(const AdvanceReport& one, AdvanceReport& all) {
  all.missing += one.missing;
  all.not_finite += one.not_finite;
  all.time_ignored = all.time_ignored || one.time_ignored;
  all.macs += one.macs;
}

void advance_tile(const void* self, int tile, int worker) {
  const auto& work = *static_cast<const FleetWork*>(self);
  CorrectedFleetParts& parts = *work.parts;
  const Range range(parts, tile);
  const auto inputs = static_cast<std::size_t>(parts.streams[0].model().inputs());
  AdvanceReport& report = parts.reports[static_cast<std::size_t>(tile)];
  report = {};
  StreamEngine* streams[kCorrectedTile];
  Sample samples[kCorrectedTile];
  const std::size_t count = range.end - range.first;
  for (std::size_t r = 0; r < count; ++r) {
    const std::size_t i = range.first + r;
    streams[r] = &parts.engine(i);
    samples[r] = {row_of(work.x, i, inputs), row_of(work.present, i, inputs), i < work.dt.size() ? work.dt[i] : 1.0F};
  }
  if (!streams[0]->guard()) {
    return StreamEngine::advance_together({streams, count}, {samples, count},
                                          parts.workspaces[static_cast<std::size_t>(worker)], report);
  }
  // a guarded stream advances together with its twin
  for (std::size_t r = 0; r < count; ++r) {
    add(streams[r]->advance(samples[r].x, samples[r].present, samples[r].dt), report);
  }
}

void observe_tile(const void* self, int tile, int /*worker*/) {
  const auto& work = *static_cast<const FleetWork*>(self);
  CorrectedFleetParts& parts = *work.parts;
  const auto outputs = static_cast<std::size_t>(parts.streams[0].model().outputs());
  const Range range(parts, tile);
  for (std::size_t i = range.first; i < range.end; ++i) {
    StreamEngine& stream = parts.engine(i);
    const StepReport report = stream.observe(row_of(work.labels, i, outputs), stream.position(), work.budget);
    if (i < work.reports.size()) work.reports[i] = report;
  }
}

void step_tile(const void* self, int tile, int worker) {
  advance_tile(self, tile, worker);
  observe_tile(self, tile, worker);
}

AdvanceReport sum(const CorrectedFleetParts& parts) {
  AdvanceReport all;
  for (const AdvanceReport& tile : parts.reports) add(tile, all);
  return all;
}

}  // namespace

AdvanceReport CorrectedFleet::advance(std::span<const float> x, std::span<const std::uint8_t> present,
                                      std::span<const float> dt, Runner* runner) {
  FleetWork{.parts = &*parts_, .x = x, .present = present, .dt = dt}.each(advance_tile, runner);
  return sum(*parts_);
}

AdvanceReport CorrectedFleet::step(std::span<const float> x, std::span<const float> labels, const Budget& budget,
                                   std::span<StepReport> reports, Runner* runner) {
  FleetWork{.parts = &*parts_, .x = x, .labels = labels, .budget = budget, .reports = reports}.each(step_tile, runner);
  return sum(*parts_);
}

void CorrectedFleet::observe(std::span<const float> labels, const Budget& budget, std::span<StepReport> reports,
                             Runner* runner) {
  FleetWork{.parts = &*parts_, .labels = labels, .budget = budget, .reports = reports}.each(observe_tile, runner);
}

int CorrectedFleet::size() const { return static_cast<int>(parts_->streams.size()); }
Stream& CorrectedFleet::stream(int i) { return parts_->streams[static_cast<std::size_t>(i)]; }
const Stream& CorrectedFleet::stream(int i) const { return parts_->streams[static_cast<std::size_t>(i)]; }

}  // namespace elastane
