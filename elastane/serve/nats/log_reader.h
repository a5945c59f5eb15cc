// Rows and forecasts of one stream, from the logs of its partition, which hold those of all its streams.
//
// Where a number is in a log is found by halving: a log of a million records takes twenty questions, not a million messages.
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
  Result<RowBatch> rows(const std::string& id, std::uint64_t from, std::size_t most) const;

 private:
  // the last number in a message; 0: it cannot be read
  using LastNumber = std::function<std::uint64_t(std::span<const std::byte>)>;
  struct Place {
    std::string stream, subject;
  };
  // sequence of a message that reaches `from` and follows one that does not, or is the first; 0: none reaches it
  Result<std::uint64_t> search(const Place& place, std::uint64_t from, const LastNumber& last_number) const;
  Result<std::vector<ForecastRecord>> forecasts_from(const Place& place, std::uint64_t sequence, std::uint64_t from,
                                                     std::size_t most) const;
  // from this sequence on to the end, as long as `each` asks for more
  using Each = std::function<bool(std::span<const std::byte>)>;
  Status read(const Place& place, std::uint64_t sequence, const Each& each) const;

  std::shared_ptr<Broker> broker_;
  int partitions_;
  FleetNames names_;
};

}  // namespace elastane::serve
