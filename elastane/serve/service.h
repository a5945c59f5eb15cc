// What the HTTP front sees of whatever computes: one process with a local log (local_service.h), or a fleet.
//
// No call waits for compute or for a disk. Answers come later, on a thread of the service.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "elastane/serve/figures.h"
#include "elastane/serve/record.h"

namespace elastane::serve {

struct FeedReply {
  enum class Kind : std::uint8_t {
    stored,    // the rows are on the disk; without their forecasts
    forecast,  // and their forecasts are here
    gap,       // rows before them are missing; `last` is the last row of the stream
    full,      // one stream too many
    failed,    // `error` says why
  };
  Kind kind = Kind::failed;
  std::uint64_t first = 0, last = 0;  // numbers of the rows
  std::vector<ForecastRecord> forecasts;
  std::string error;
};

struct FeedRequest {
  RowBatch rows;                // `first` 0: they follow the last row
  bool waits_for_disk = false;  // answer when they are stored, without their forecasts
  std::function<void(FeedReply)> done;
};

// one part of the streams, and its owner
struct PartitionStatus {
  int number = 0;
  std::string owner;
  std::string state;  // "ready", "replaying", "stopped: …"
  std::uint64_t streams = 0, rows = 0, lag = 0, replayed = 0, takeovers = 0;
};

// since this process began
struct ForecastTotals {
  std::uint64_t forecasts = 0, depth = 0, accepted = 0;
};

struct ServiceInfo {
  std::vector<std::string> channels;
  std::size_t targets = 1, horizon = 1;
  std::string model;  // name of the current one: a hash of its weights
};

class Service {
 public:
  virtual ~Service() = default;

  virtual ServiceInfo info() const = 0;
  virtual bool is_ready() const = 0;
  virtual Figures& figures() = 0;
  virtual std::vector<PartitionStatus> partitions() const = 0;
  // of all rows, wherever they were forecast
  virtual DurationHistogram::Counts step_times() const = 0;
  virtual ForecastTotals totals() const = 0;
  virtual std::vector<StreamActivity> most_active(std::size_t limit) const = 0;
  virtual std::vector<StreamActivity> streams(const std::string& after, std::size_t limit) const = 0;
  virtual std::size_t stream_count() const = 0;

  // false: too much waits already; `done` is then not called
  virtual bool feed(FeedRequest request) = 0;

  // stored forecasts of a stream from row `from` on (0: only the last), at most `most`; empty: there are none
  using Forecasts = std::function<void(Result<std::vector<ForecastRecord>>)>;
  virtual bool read(const std::string& id, std::uint64_t from, std::size_t most, Forecasts done) = 0;

  // rows likewise
  using Rows = std::function<void(Result<RowBatch>)>;
  virtual bool read_rows(const std::string& id, std::uint64_t from, std::size_t most, Rows done) = 0;

  using Bytes = std::function<void(Result<std::optional<std::vector<std::byte>>>)>;
  virtual bool snapshot(const std::string& id, Bytes done) = 0;  // nothing: the stream is not known
  using Done = std::function<void(Status)>;
  virtual bool restore(const std::string& id, std::vector<std::byte> snapshot, Done done) = 0;
  virtual bool erase(const std::string& id, Done done) = 0;
  virtual bool swap_model(std::vector<std::byte> file, Done done) = 0;

  // called with forecasts as they are stored, on a thread of the service; set before the first row
  using Listener = std::function<void(const ForecastBatch&)>;
  virtual void listen(Listener listener) = 0;
};

}  // namespace elastane::serve
