// A fleet as an HTTP front sees it: rows go out with a spool behind them, forecasts come back as they are stored.
//
//   FOLDER/spool-000001.log, …   rows that were accepted, synced before they are answered; read again at the start
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "elastane/serve/nats/fleet_source.h"
#include "elastane/serve/nats/fleet_worker.h"
#include "elastane/serve/nats/log_reader.h"
#include "elastane/serve/nats/row_spool.h"
#include "elastane/serve/service.h"

namespace elastane::serve {

struct FleetServiceOptions {
  std::string folder;
  std::size_t most_streams = 10'000;
  std::size_t queue = 4096;
  bool has_worker = false;  // this process counts its forecasts as it makes them
};

class FleetService : public Service {
 public:
  static Result<std::unique_ptr<FleetService>> open(std::shared_ptr<Broker> broker, const FleetSettings& settings,
                                                    ServiceInfo info, const FleetServiceOptions& options,
                                                    Figures& figures);
  ~FleetService() override;

  ServiceInfo info() const override { return info_; }
  bool is_ready() const override { return broker_->is_connected(); }
  Figures& figures() override { return figures_; }
  std::vector<PartitionStatus> partitions() const override;
  DurationHistogram::Counts step_times() const override;
  ForecastTotals totals() const override;
  std::vector<StreamActivity> most_active(std::size_t limit) const override { return activity_.most_active(limit); }
  std::vector<StreamActivity> streams(const std::string& after, std::size_t limit) const override {
    return activity_.by_id(after, limit);
  }
  std::size_t stream_count() const override { return activity_.size(); }
  bool feed(FeedRequest request) override;
  bool read(const std::string& id, std::uint64_t from, std::size_t most, Forecasts done) override;
  bool read_rows(const std::string& id, std::uint64_t from, std::size_t most, Rows done) override;
  bool snapshot(const std::string& id, Bytes done) override;
  bool restore(const std::string& id, std::vector<std::byte> snapshot, Done done) override;
  bool erase(const std::string& id, Done done) override;
  bool swap_model(std::vector<std::byte> file, Done done) override;
  void listen(Listener listener) override;  // starts the thread

 private:
  struct Waiting {
    FeedRequest request;
    std::vector<ForecastRecord> forecasts;
  };
  FleetService(std::shared_ptr<Broker> broker, const FleetSettings& settings, ServiceInfo info,
               const FleetServiceOptions& options, Figures& figures, RowSpool spool);
  Status load_spool();
  void run();
  void run_reads();
  bool post(std::function<void()> task);
  void take(std::vector<FeedRequest> requests);
  Result<std::uint64_t> last_row(const std::string& id);
  void answer_repeated(FeedRequest request);
  void arrived(const ForecastBatch& batch);
  void hear_beats();
  void remove_old_rows();

  std::shared_ptr<Broker> broker_;
  FleetSettings settings_;
  ServiceInfo info_;
  FleetServiceOptions options_;
  Figures& figures_;
  FleetNames names_;
  RowSpool spool_;
  LogReader logs_;
  std::unique_ptr<FleetSource> source_;
  std::unique_ptr<Subscription> beats_;
  Activity activity_;
  Listener listener_;
  std::map<std::string, std::uint64_t> last_;            // number of the last row accepted
  std::map<std::string, std::vector<Waiting>> waiting_;  // by stream
  std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now();

  mutable std::mutex mutex_;
  std::condition_variable wakes_;
  std::vector<FeedRequest> feeds_;
  std::deque<std::function<void()>> reads_;  // of the logs: they wait for the broker, and rows do not wait for them
  std::map<std::string, ForecastRecord> newest_;
  ForecastTotals totals_;
  std::map<int, PartitionStatus> partitions_;
  struct StepTimes {
    DurationHistogram::Counts counts;
    std::chrono::steady_clock::time_point heard;
  };
  std::map<std::string, StepTimes> step_times_;  // of each worker
  std::atomic<bool> is_ending_ = false;
  std::thread thread_, reader_;
};

}  // namespace elastane::serve
