// Many streams of one model, stepped together: weights are read once for all of them.
//
// A stream's results do not depend on the other streams: each equals, bit for bit, a Stream that gets the same rows.
// One thread at a time; split a large number of streams over several fleets to use several cores. A fleet whose streams
// are corrected can be given threads instead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "elastane/core/allocation/budget.h"
#include "elastane/core/allocation/scoring_network.h"
#include "elastane/core/backbone/advance_report.h"
#include "elastane/core/base/owned.h"
#include "elastane/core/network/model.h"
#include "elastane/core/stream/stream.h"

namespace elastane {

struct FleetParts;
struct CorrectedFleetParts;

struct FleetOptions {
  RouterWeights router = {};  // sets the modes of attention heads; load_router of io/gate_file.h
  Budget attention = {};      // of one row in one attention block, for heads that choose their blocks
  Budget recursion = {};      // of one row in one recursion, for its iterations; it may be cut after any of them
};
Status validate(const FleetOptions& options, const Model& model);

class Fleet {
 public:
  // throws if there is no stream, or the options do not fit the model; `create` returns the reason instead
  Fleet(const Model& model, int streams, const FleetOptions& options = {});
  static Result<Fleet> create(const Model& model, int streams, const FleetOptions& options = {});

  int size() const;
  const Model& model() const;

  // One step of every stream. x and present hold a row of inputs for each stream, dt one time step for each; present
  // and dt may be empty. Rows that x lacks count as missing, rows that `present` lacks as present, a missing dt as 1.
  AdvanceReport advance(std::span<const float> x, std::span<const std::uint8_t> present = {},
                        std::span<const float> dt = {});

  // of a stream that is not there: empty, 0, and nothing is reset
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
  Owned<FleetParts> parts_;
};

// Many corrected streams of one model: advanced together, then each corrected by itself, on an application's threads if
// it has some. Copy a fleet to fork it.
class CorrectedFleet {
 public:
  // `workers`: threads that a runner may use; throws as a Stream and a Fleet do, `create` returns the reason instead
  CorrectedFleet(const Model& model, int streams, const StreamOptions& options, int workers = 1);
  static Result<CorrectedFleet> create(const Model& model, int streams, const StreamOptions& options, int workers = 1);

  int size() const;

  // One step of every stream, as Fleet::advance takes it. The report has no blocks.
  AdvanceReport advance(std::span<const float> x, std::span<const std::uint8_t> present = {},
                        std::span<const float> dt = {}, Runner* runner = nullptr);

  // A label for the last step of every stream, a row of outputs each; a row that is not there, or has no finite value,
  // corrects nothing. Unless it is empty, `reports` has one for each stream. A budget on a wall clock counts for each
  // stream by itself.
  void observe(std::span<const float> labels, const Budget& budget = {}, std::span<StepReport> reports = {},
               Runner* runner = nullptr);

  // Both, where labels come with the inputs: a stream is corrected while it is still in the cache.
  AdvanceReport step(std::span<const float> x, std::span<const float> labels, const Budget& budget = {},
                     std::span<StepReport> reports = {}, Runner* runner = nullptr);

  // one of them, for everything else; i is below size()
  Stream& stream(int i);
  const Stream& stream(int i) const;

 private:
  Owned<CorrectedFleetParts> parts_;
};

}  // namespace elastane
