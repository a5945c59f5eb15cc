// A worker of a fleet: beats, hears the others, and holds the partitions that fall to it.
#pragma once

#include <future>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "elastane/serve/nats/fleet_partition.h"
#include "elastane/serve/nats/members.h"

namespace elastane::serve {

struct FleetWorkerOptions {
  std::string name;  // different for every worker
  FleetPartitionOptions partition;
};

class FleetWorker {
 public:
  FleetWorker(std::shared_ptr<Broker> broker, const FleetSettings& settings, SharedForecastModel model,
              FleetWorkerOptions options, Figures& figures);
  ~FleetWorker();

  std::vector<PartitionStatus> partitions() const;

 private:
  void run();
  void beat();
  void hear(int milliseconds);
  void hold_own();
  bool may_go(int partition, bool is_held_elsewhere, Members::Clock::time_point now);
  void give_up(int partition);

  std::shared_ptr<Broker> broker_;
  FleetSettings settings_;
  SharedForecastModel model_;
  FleetWorkerOptions options_;
  Figures& figures_;
  FleetNames names_;
  std::string run_;
  Members members_;
  std::unique_ptr<Subscription> beats_;
  mutable std::mutex mutex_;
  std::map<int, std::unique_ptr<FleetPartition>> held_;
  std::map<int, Members::Clock::time_point> leaves_since_;  // of those that are held and should not be
  std::vector<std::future<void>> leaving_;                 // partitions that were given up and still wait for an answer
  std::atomic<bool> is_ending_ = false, is_news_ = false;  // news: what we hold has changed
  std::thread thread_;
};

// what a worker tells the others
struct Beat {
  std::string name;
  std::string run;  // of its process
  bool leaves = false;
  std::vector<PartitionStatus> partitions;
  DurationHistogram::Counts step_times{};  // of its rows
};
std::string beat_text(const Beat& beat);
Result<Beat> parse_beat(std::string_view text);

}  // namespace elastane::serve
