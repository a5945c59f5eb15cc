// Rows and forecasts of one stream, from the logs of its partition, which hold those of all its streams.
//
// Where a number is in a log is found by halving: a log of a million records takes twenty questions, not a million messages. What
// a broker lost and was sent again is behind later numbers; then the log is read from the first record of the stream.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "elastane/serve/nats/broker.h"
#include "elastane/serve/nats/fleet_names.h"
#include "elastane/serve/record.h"

namespace elastane::serve {

class LogReader {
 public:
  LogReader(std::shared_ptr<Broker> broker, const FleetSettings& settings)
      : broker_(std::move(broker)), partitions_(settings.partitions), names_(broker_->prefix(), settings.rows_of) {}

  // those that are kept, from the number `from` on, at most `most`
  Result<std::vector<ForecastRecord>> forecasts(const std::string& id, std::uint64_t from, std::size_t most) const;
  Result<RowBatch> rows(const std::string& id, std::uint64_t from, std::size_t most) const;  // without gaps
  Result<std::vector<ForecastRecord>> last_forecast(const std::string& id) const;            // or none

 private:
  struct Place {
    std::string stream, subject;
  };
  Place place_of_forecasts(const std::string& id) const;
  Place place_of_rows(const std::string& id) const;

  // the last number in a message; 0: it cannot be read
  using LastNumber = std::function<std::uint64_t(std::span<const std::byte>)>;
  struct End {
    std::uint64_t sequence = 0, number = 0;  // of the last message of a stream; 0: it has none
  };
  Result<End> end_of(const Place& place, const LastNumber& last_number) const;
  // sequence of a message that reaches `from` and follows one that does not, or is the first; 0: none reaches it
  Result<std::uint64_t> search(const Place& place, std::uint64_t from, const LastNumber& last_number) const;

  // Gives messages from one sequence up to another until `take` says that it has all; false: it never did.
  using Take = std::function<bool(std::span<const std::byte>)>;
  Result<bool> read(const Place& place, std::uint64_t sequence, std::uint64_t end, const Take& take) const;
  // the same from where `from` is found, and again from the first message if it has not all then
  Status collect(const Place& place, std::uint64_t from, std::uint64_t end, const LastNumber& last_number,
                 const Take& take) const;

  std::shared_ptr<Broker> broker_;
  int partitions_;
  FleetNames names_;
};

}  // namespace elastane::serve
