// One partition of a fleet, held by one worker: restores, replays, continues; and starts again from the beginning of that
// list whenever anything is in doubt. There is one path of recovery, and it runs all the time.
//
//   take over   a fence in the log of forecasts, then in that of snapshots: earlier writers are refused from here on
//   restore     the newest manifest that is whole and not ahead of the log of forecasts; else from the first row kept
//   replay      rows again; forecasts that are stored are compared bit for bit, others are stored
//   continue    rows as they come; snapshots of the streams that changed, one at a time, then a manifest of them
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "elastane/serve/nats/chained_writer.h"
#include "elastane/serve/nats/fleet_names.h"
#include "elastane/serve/nats/manifest.h"
#include "elastane/serve/nats/stored_forecasts.h"
#include "elastane/serve/service.h"

namespace elastane::serve {

struct FleetPartitionOptions {
  SessionOptions session;
  std::uint64_t snapshot_rows = 20'000;
  std::string rows_of;  // FleetSettings
  BrokenRules rules;
  std::function<void(const std::string&)> log;  // a line for each take-over: what took how long; empty: none
};

class FleetPartition {
 public:
  FleetPartition(int number, std::shared_ptr<Broker> broker, SharedForecastModel model,
                 const FleetPartitionOptions& options, Figures& figures);
  FleetPartition(const FleetPartition&) = delete;
  FleetPartition& operator=(const FleetPartition&) = delete;
  ~FleetPartition() { stop(); }

  void stop();
  // Another worker will hold it: a snapshot of everything now, so that little is left to replay. `is_saved` says when.
  void leave(bool leaves) { is_leaving_ = leaves; }
  bool is_saved() const { return is_leaving_ && is_saved_; }
  PartitionStatus status() const;
  bool is_stopped() const { return is_stopped_; }  // for good: a replay gave another forecast

 private:
  struct OneStream {
    std::string subject;                                          // of its forecasts
    std::uint64_t first_dirty_row = 0, first_dirty_forecast = 0;  // sequences; 0: the snapshot holds everything
    std::uint64_t last_record = 0;                                // of the writer: its last forecast
    int slot = 0;                                                 // where its snapshot of the manifest is
    std::uint64_t last_stored = 0;                                // number of the last forecast that is stored
    StoredForecasts stored;                                       // those that a replay will make again
  };

  void run();
  Status hold();  // until something is in doubt, or the end
  Status take_over();
  Status restore();
  Status read_stored(std::uint64_t from);
  Result<bool> restore_manifest(const Manifest& manifest);
  Result<bool> restore_slot(const Manifest& manifest, int slot);
  bool restore_stream(const Manifest::Entry& entry, std::span<const std::byte> bytes);
  Status rebuild();
  Status take(const BrokerMessage& message);
  Status store(const RowBatch& batch, std::uint64_t sequence, Fed fed);
  Status compare(const std::string& id, OneStream& stream, const ForecastRecord& record);
  OneStream& stream_of(const std::string& id);
  Status look_after();
  void notify_source(const std::string& id, bool is_missing);
  Status continue_snapshots();
  Status save_snapshot(const std::string& id);
  Status save_manifest();
  void set_state(std::string state);
  void is_replayed();
  void log_takeover();

  int number_;
  std::shared_ptr<Broker> broker_;
  FleetNames names_;
  SharedForecastModel model_;
  FleetPartitionOptions options_;
  Figures& figures_;

  std::unique_ptr<Session> session_;
  std::unique_ptr<ChainedWriter> forecasts_, snapshots_;
  std::map<std::string, OneStream> streams_;
  HashRoom room_;
  std::uint64_t stored_floor_ = 0;  // forecasts up to this sequence were not read at the take-over
  StreamState rows_state_, forecasts_state_;
  std::uint64_t position_ = 0;   // sequence of the last row taken
  std::uint64_t floor_ = 0;      // rows up to here are in snapshots
  std::deque<std::string> due_;  // streams whose snapshots this round still writes
  std::map<std::string, Manifest::Entry> entries_;
  bool is_round_ = false, is_last_round_ = false, is_rebuilt_ = false;
  std::uint64_t rows_since_round_ = 0;
  std::uint64_t taken_ = 0;  // messages
  struct {
    std::chrono::steady_clock::time_point began;
    double fenced = 0, restored = 0, replayed = 0;  // seconds after that
    double processor = 0;                           // seconds of this thread before that
    std::uint64_t rows = 0;                         // that the replay had
    bool is_new = false;                            // a forecast that was not stored has not been made yet
  } takeover_;
  std::map<std::string, std::chrono::steady_clock::time_point> asked_;

  mutable std::mutex mutex_;
  std::string state_ = "starting";
  std::atomic<bool> is_ending_ = false, is_stopped_ = false, is_leaving_ = false, is_saved_ = false;
  std::atomic<std::uint64_t> rows_ = 0, replayed_ = 0, takeovers_ = 0, stream_count_ = 0, lag_ = 0;
  std::thread thread_;
};

}  // namespace elastane::serve
