// Sends rows to a fleet and keeps each until its forecast is stored; goes back where a forecast does not come.
//
// A row counts as arrived when its forecast is in the log, not when the broker said that it has the row. So a broker that
// loses rows, workers that end and connections that break cost time, nothing else.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "elastane/serve/nats/chained_writer.h"
#include "elastane/serve/nats/fleet_names.h"
#include "elastane/serve/record.h"

namespace elastane::serve {

struct FleetSourceOptions {
  std::uint64_t window = 64;  // rows of a stream ahead of the last confirmed one
  // Where rows are that were added, apart from memory: of a stream, from one number up to another, as far as they are known.
  // With it a bounded number of rows is in memory; without it all are, in case a worker asks for one.
  std::function<Result<std::vector<RowBatch>>(const std::string& id, std::uint64_t first, std::uint64_t last)> recall;
  std::uint64_t most_kept = 500'000;  // rows in memory, of all streams; beyond that, what a stream sends next alone
  std::uint64_t recalled = 4096;      // rows of a stream at a time
  std::uint64_t rows_at_once = 16;    // of a stream in one message
  BrokenRules rules;
};

// One thread at a time.
class FleetSource {
 public:
  using Listener = std::function<void(const ForecastBatch&)>;
  static Result<std::unique_ptr<FleetSource>> open(std::shared_ptr<Broker> broker, const FleetSettings& settings,
                                                   const FleetSourceOptions& options, Listener listener);

  // the number of the last row of a stream whose forecast is stored, from the log; 0: none
  Result<std::uint64_t> last_stored(const std::string& id);
  // rows to be sent, numbered without gaps within their stream
  // `is_stored`: their forecasts are in the log; they are kept in case a worker misses one
  void add(RowBatch rows, bool is_stored = false);
  // sends what may be sent, takes in what came; returns after so many milliseconds or when something came
  Status work(int milliseconds);
  // Asks the log whether it still has what was confirmed, and goes back where it does not; before a source ends.
  Status verify();
  std::uint64_t unconfirmed() const { return unconfirmed_; }  // rows
  std::uint64_t went_back() const { return went_back_; }
  std::uint64_t confirmed(const std::string& id) const;

 private:
  struct OneStream {
    std::uint64_t first = 0;      // number of the first row in memory
    std::deque<RowBatch> kept;    // one row each, without gaps
    std::uint64_t newest = 0;     // number of the last row added, in memory or not
    std::uint64_t confirmed = 0;  // number
    std::uint64_t next = 1;       // number of the next row to send
    std::uint64_t unknown = 0;    // rows up to this number cannot be recalled
    std::chrono::steady_clock::time_point progress;
    std::uint64_t last() const { return first + kept.size() - 1; }
    bool has(std::uint64_t number) const { return number >= first && number < first + kept.size(); }
  };
  FleetSource(std::shared_ptr<Broker> broker, const FleetSettings& settings, const FleetSourceOptions& options,
              Listener listener);
  Status send(const std::string& id, OneStream& stream);
  void confirm(const std::string& id, std::uint64_t number);
  void go_back(const std::string& id, std::uint64_t number);
  void forget(OneStream& stream, std::uint64_t before);
  bool recall(const std::string& id, OneStream& stream, std::uint64_t number);
  Status look_after_silent_streams();
  Status take_in(int milliseconds);

  std::shared_ptr<Broker> broker_;
  FleetSettings settings_;
  FleetSourceOptions options_;
  Listener listener_;
  FleetNames names_;
  std::unique_ptr<Subscription> forecasts_, wanted_;
  std::map<std::string, OneStream> streams_;
  std::map<std::string, bool> ready_;  // streams that may have something to send
  std::uint64_t unconfirmed_ = 0, went_back_ = 0, kept_ = 0;
  std::chrono::steady_clock::time_point looked_;
};

}  // namespace elastane::serve
