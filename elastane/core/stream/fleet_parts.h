// What a Fleet is made of, hidden from its header.
#pragma once

#include <cstddef>
#include <vector>

#include "elastane/core/network/model.h"
#include "elastane/core/network/step.h"
#include "elastane/core/stream/fleet.h"
#include "elastane/core/stream/routing.h"

namespace elastane {

// row i of a matrix of which the end may be missing
template <class T>
std::span<const T> row_of(std::span<const T> matrix, std::size_t i, std::size_t n) {
  const std::size_t first = i * n;
  if (first >= matrix.size()) return {};
  return matrix.subspan(first, matrix.size() - first < n ? matrix.size() - first : n);
}

struct FleetParts {
  Model model;
  Routing routing;
  int streams;
  Buffer states;   // [stream][layout.size]
  Buffer outputs;  // [stream][outputs]
  Workspace workspace;

  FleetParts(const Model& shared, int count, const FleetOptions& options);

  std::uint64_t fingerprint() const { return model.fingerprint() ^ routing.fingerprint(); }

  std::size_t stride() const { return model.network().layout.size; }
  std::byte* state(int stream) { return states.data() + static_cast<std::size_t>(stream) * stride(); }
  const std::byte* state(int stream) const { return states.data() + static_cast<std::size_t>(stream) * stride(); }
  float* output(int stream) {
    return reinterpret_cast<float*>(outputs.data()) +
           static_cast<std::ptrdiff_t>(stream) * model.network().config.outputs;
  }
};

// streams that advance in one tile, and are one piece of work for a thread
inline constexpr int kCorrectedTile = kFleetRows / 4;

struct CorrectedFleetParts {
  std::vector<Stream> streams;
  std::vector<Workspace> workspaces;   // one for each worker
  std::vector<AdvanceReport> reports;  // of every tile

  CorrectedFleetParts(const Model& model, int count, const StreamOptions& options, int workers);

  StreamEngine& engine(std::size_t i) { return *streams[i].engine_; }
  int tiles() const { return static_cast<int>(reports.size()); }
};

}  // namespace elastane
