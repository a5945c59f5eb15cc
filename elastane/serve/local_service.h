// The whole service in one process: partitions with their logs in a folder, no broker.
//
//   FOLDER/partitions   how many there are; fixed when the folder is made
//   FOLDER/models/      every model that was used, and the name of the current one
//   FOLDER/0/ …         stream_log.h
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "elastane/serve/local_partition.h"
#include "elastane/serve/model_store.h"

namespace elastane::serve {

struct LocalOptions {
  std::string folder;
  int partitions = 2;                                      // of a new folder
  std::uint64_t most_log_bytes = std::uint64_t{64} << 30;  // of the logs of rows together
  PartitionOptions partition;
};

class LocalService : public Service {
 public:
  // Opens the folder and replays what its snapshots do not hold. `model`: the file of the model for a new folder; another
  // one continues with its own.
  static Result<std::unique_ptr<LocalService>> open(const LocalOptions& options, std::span<const std::byte> model);
  ~LocalService() override;

  ServiceInfo info() const override;
  bool is_ready() const override { return true; }
  Figures& figures() override { return figures_; }
  std::vector<PartitionStatus> partitions() const override;
  DurationHistogram::Counts step_times() const override { return figures_.step.counts(); }
  ForecastTotals totals() const override {
    return {.forecasts = figures_.forecasts, .depth = figures_.depth, .accepted = figures_.accepted};
  }
  std::vector<StreamActivity> most_active(std::size_t limit) const override;
  std::vector<StreamActivity> streams(const std::string& after, std::size_t limit) const override;
  std::size_t stream_count() const override { return streams_; }
  bool feed(FeedRequest request) override;
  bool read(const std::string& id, std::uint64_t from, std::size_t most, Forecasts done) override;
  bool read_rows(const std::string& id, std::uint64_t from, std::size_t most, Rows done) override;
  bool snapshot(const std::string& id, Bytes done) override;
  bool restore(const std::string& id, std::vector<std::byte> snapshot, Done done) override;
  bool erase(const std::string& id, Done done) override;
  bool swap_model(std::vector<std::byte> file, Done done) override;
  void listen(Listener listener) override;  // starts the threads

 private:
  explicit LocalService(const LocalOptions& options) : options_(options), models_(options.folder + "/models") {}
  Status open_partitions(int count, const std::string& current);
  LocalPartition& partition(const std::string& id);

  LocalOptions options_;
  ModelStore models_;
  Figures figures_;
  std::atomic<std::size_t> streams_ = 0;
  mutable std::mutex mutex_;  // of info_
  ServiceInfo info_;
  std::vector<std::unique_ptr<LocalPartition>> partitions_;
};

ServiceInfo info_of(const ForecastModel& model, const std::string& name);

}  // namespace elastane::serve
