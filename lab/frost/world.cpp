#include "lab/frost/world.h"

#include "lab/frost/recording.h"
#include "lab/frost/reproduction.h"

namespace elastane::frost {
namespace {

Result<lab::RecordingPointer> record_episode(const std::string& models, const benchmark::RecordingRequest& request) {
  auto recording = record(models, request);
  if (!recording) return Error{recording.error()};
  return lab::RecordingPointer(std::make_unique<CellsRecording>(std::move(*recording)));
}

}  // namespace

lab::World world() {
  lab::World world{.name = "frost", .what = "Recursion in depth: grids, prefixes, and streams that idle and move"};
  world.benchmarks = {{.name = "frost",
                       .what = "A frontier runs over a grid, or parity along some bits, until depth is certified",
                       .cost = "",
                       .open = {},
                       .record = record_episode}};
  world.reproductions = {frost_reproduction()};
  return world;
}

}  // namespace elastane::frost
