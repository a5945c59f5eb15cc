// Many streams of one model, stepped together: weights are read once for all of them.
//
// A stream's results do not depend on the other streams: each equals, bit for bit, a Stream that gets the same rows.
// One thread at a time; split a large number of streams over several fleets to use several cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "elastane/core/network/model.h"
#include "elastane/core/network/step.h"
#include "elastane/core/stream/routing.h"

namespace elastane {

struct FleetOptions {
  RouterWeights router = {};  // sets the modes of attention heads; of a router file (io/router_file.h)
  Budget attention = {};      // of one row in one attention block, for heads that choose their blocks
};
Status validate(const FleetOptions& options, const Model& model);

class Fleet {
 public:
  // throws if the options do not fit the model
  Fleet(const Model& model, int streams, const FleetOptions& options = {});

  int size() const { return streams_; }
  const Model& model() const { return model_; }

  // One step of every stream. x and present hold a row of inputs for each stream, dt one time step for each; present
  // and dt may be empty. Rows that x lacks count as missing, rows that `present` lacks as present, a missing dt as 1.
  AdvanceReport advance(std::span<const float> x, std::span<const std::uint8_t> present = {},
                        std::span<const float> dt = {});

  std::span<const float> output(int stream) const;  // of the last step
  std::span<const float> outputs() const;           // all, a row each
  std::uint64_t position(int stream) const;

  void reset(int stream);
  void reset();

  // as for Stream; snapshots may be exchanged between fleets and streams of one model and router
  std::size_t snapshot_bytes() const;
  Status snapshot(int stream, std::span<std::byte> bytes) const;
  Status restore(int stream, std::span<const std::byte> bytes);

 private:
  std::byte* state(int stream) { return states_.data() + static_cast<std::size_t>(stream) * stride(); }
  const std::byte* state(int stream) const { return states_.data() + static_cast<std::size_t>(stream) * stride(); }
  std::size_t stride() const { return model_.network().layout.size; }
  float* output_of(int stream);

  Model model_;
  Routing routing_;
  int streams_;
  Buffer states_;   // [stream][layout.size]
  Buffer outputs_;  // [stream][outputs]
  Workspace workspace_;
};

}  // namespace elastane
