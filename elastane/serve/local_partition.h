// One part of the streams of a process: a log, a session, and the thread that feeds it.
//
// Rows that wait are taken together: numbered, written and synced at once, then forecast one after the other. So the
// price of a sync is shared, and a row that was answered is on the disk.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "elastane/serve/service.h"
#include "elastane/serve/stream_log.h"

namespace elastane::serve {

struct PartitionOptions {
  SessionOptions session;
  std::uint64_t snapshot_rows = 20'000;  // rows between snapshots: a start replays about that many
  std::size_t queue = 4096;              // requests that may wait
};

class LocalPartition {
 public:
  // `streams`: of all partitions, for the limit
  LocalPartition(int number, StreamLog log, SharedForecastModel model, const PartitionOptions& options,
                 Figures& figures, std::atomic<std::size_t>& streams);
  LocalPartition(const LocalPartition&) = delete;
  LocalPartition& operator=(const LocalPartition&) = delete;
  ~LocalPartition() { stop(); }

  // Restores snapshots and replays what came after. A recomputed forecast that differs from the stored one is an error
  // that shows both.
  Status catch_up();
  void start(Service::Listener listener);
  void stop();

  bool post(FeedRequest request);                        // false: too much waits
  bool post(std::function<void(LocalPartition&)> task);  // likewise; runs on the partition's thread
  PartitionStatus status() const;
  const Activity& activity() const { return activity_; }

  // --- on the partition's thread
  Result<std::vector<ForecastRecord>> read(const std::string& id, std::uint64_t from, std::size_t most) const;
  Result<RowBatch> read_rows(const std::string& id, std::uint64_t from, std::size_t most) const {
    return log_.read_rows(id, from, most);
  }
  std::optional<std::vector<std::byte>> snapshot(const std::string& id) const { return session_->snapshot(id); }
  Status restore(const std::string& id, const std::vector<std::byte>& snapshot);
  Status erase(const std::string& id);
  // a session of the new model sees all rows, on a thread of its own, while this one continues; then they change places
  void swap_model(SharedForecastModel model, std::string name, Service::Done done);

 private:
  struct Work {
    std::optional<FeedRequest> feed;
    std::function<void(LocalPartition&)> task;
  };
  struct Admitted;
  void run();
  void push(Work work);
  void feed_together(std::vector<FeedRequest> requests);
  std::optional<Admitted> admit(FeedRequest request);
  void forecast_rows(Admitted& each);
  void save_due_snapshots();
  Status feed_replayed(Session& session, const RowBatch& batch, bool is_compared);
  Status compare(const std::string& id, const std::vector<ForecastRecord>& recomputed);
  void finish_swap(std::shared_ptr<Session> next, std::uint64_t seen, const std::string& name,
                   const Service::Done& done);

  int number_;
  StreamLog log_;
  PartitionOptions options_;
  Figures& figures_;
  std::atomic<std::size_t>& streams_;
  std::shared_ptr<Session> session_;
  Activity activity_;
  Service::Listener listener_;
  std::string broken_;  // why nothing can be stored any more; "": it can

  std::map<std::string, std::uint64_t> dirty_;  // rows since the snapshot of a stream
  std::uint64_t rows_since_round_ = 0;
  std::deque<std::string> due_;  // streams whose snapshots are to be written

  mutable std::mutex mutex_;
  std::condition_variable wakes_;
  std::deque<Work> queue_;
  bool is_ending_ = false;
  std::atomic<std::uint64_t> rows_ = 0, replayed_ = 0;
  std::thread thread_, builder_;
  bool is_building_ = false;
};

}  // namespace elastane::serve
