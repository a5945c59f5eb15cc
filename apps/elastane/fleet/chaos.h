// Kills parts of a fleet at random while rows run through it, and compares the result with one uninterrupted run.
#pragma once

#include <chrono>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apps/elastane/fleet/local_servers.h"
#include "apps/elastane/fleet/log_check.h"
#include "elastane/core/base/random.h"
#include "elastane/serve/nats/fleet_worker.h"

namespace elastane::app {

struct ChaosOptions {
  std::string model, folder;
  std::string url;  // of servers that are there; "": `servers` are started, and killed as well
  int servers = 1, workers = 3, partitions = 6, replicas = 0;  // 0: one on one server, three on three
  std::uint64_t rows = 100'000, ids = 200, kills = 100, seed = 1, snapshot_rows = 2000;
  double interval = 0.35;  // seconds between kills, in the mean
  double patience = 120;   // seconds after the last kill in which everything has to arrive
  int drops = 2;           // times that acknowledged records are deleted from the logs
  std::string mutation;    // a rule of the protocol to break
  // take-overs alone: one worker at a time is killed, when the one before has been replaced and is back
  bool only_workers = false;
};

struct ChaosResult {
  LogFaults faults;
  std::uint64_t worker_kills = 0, server_kills = 0, source_kills = 0, pauses = 0, drops = 0;
  std::vector<double> takeovers;  // seconds from the kill of an owner to the next forecast of its partition
  std::uint64_t kills() const { return worker_kills + server_kills + source_kills; }
};

class Chaos {
 public:
  explicit Chaos(const ChaosOptions& options);  // throws if something cannot be started
  ChaosResult run();

 private:
  using Clock = std::chrono::steady_clock;
  struct Worker {
    std::string name;
    Process process;
    Clock::time_point starts_at;  // if it is not running
    std::optional<Clock::time_point> resumes_at;
  };
  void write_rows() const;
  void expect();
  void make_fleet();
  void start_worker(Worker& worker);
  void start_source();
  bool is_whole();
  void disturb();
  void kill_worker();
  void pause_worker();
  void kill_server();
  void drop_records();
  void look_after();
  void hear(int milliseconds);
  void settle();
  void read_logs();
  void wait_for_source();
  void note(const std::string& event);  // in events.log, with the seconds since the start

  ChaosOptions options_;
  Random random_;
  std::optional<LocalServers> servers_;
  std::optional<std::pair<int, Clock::time_point>> down_;  // a node, and when it starts again
  std::vector<Worker> workers_;
  Process source_;
  bool is_source_done_ = false;
  std::shared_ptr<serve::Broker> broker_;
  std::string url_, prefix_;
  std::unique_ptr<serve::FleetNames> names_;
  std::unique_ptr<serve::Subscription> beats_, forecasts_;
  std::map<int, std::string> owner_;             // of a partition, as heard
  std::map<int, Clock::time_point> taken_over_;  // partitions that wait for their new owner, since when
  LogCheck check_;
  ChaosResult result_;
  Clock::time_point start_ = Clock::now();
  std::ofstream events_;
};

}  // namespace elastane::app
