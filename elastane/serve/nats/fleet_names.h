// Streams and subjects of a fleet, and how its logs are kept.
#pragma once

#include <string>

#include "elastane/serve/nats/broker.h"
#include "elastane/serve/stream_id.h"

namespace elastane::serve {

struct FleetSettings {
  int partitions = 16;  // fixed when the fleet is made
  int replicas = 1;
  double keep_seconds = 2 * 86400;                  // rows and forecasts
  std::int64_t most_bytes = std::int64_t{1} << 30;  // of the rows of a partition; then rows are refused, not lost
  std::string rows_of;                              // another fleet whose rows it forecasts; "": its own
};

class FleetNames {
 public:
  // rows_of: the fleet that has the rows; "": this one
  explicit FleetNames(std::string prefix, std::string rows_of = {})
      : prefix_(std::move(prefix)), rows_of_(rows_of.empty() ? prefix_ : std::move(rows_of)) {}

  std::string rows_stream(int p) const { return rows_of_ + "_ROWS_" + std::to_string(p); }
  std::string forecasts_stream(int p) const { return prefix_ + "_FORECASTS_" + std::to_string(p); }
  std::string snapshots_stream(int p) const { return prefix_ + "_SNAPSHOTS_" + std::to_string(p); }
  std::string settings_stream() const { return prefix_ + "_SETTINGS"; }
  std::string settings() const { return prefix_ + ".settings"; }

  std::string rows(int p, const std::string& id) const { return rows_subject(p) + percent_encoded(id); }
  std::string forecasts(int p, const std::string& id) const { return subject("out", p) + percent_encoded(id); }
  std::string all_rows(int p) const { return rows_subject(p) + "*"; }
  std::string all_forecasts(int p) const { return subject("out", p) + "*"; }
  std::string forecasts_fence(int p) const { return subject("out", p) + "~fence"; }  // no id has a ~
  std::string snapshots_fence(int p) const { return subject("snap", p) + "fence"; }
  std::string manifest(int p) const { return subject("snap", p) + "manifest"; }
  std::string snapshot(int p, const std::string& id, int slot, std::size_t piece) const {
    return subject("snap", p) + "id." + percent_encoded(id) + "." + std::to_string(slot) + "." + std::to_string(piece);
  }
  std::string snapshots_of_slot(int p, int slot) const {
    return subject("snap", p) + "id.*." + std::to_string(slot) + ".*";
  }
  // after they are stored: for sources and readers
  std::string live(const std::string& id) const { return prefix_ + ".forecasts." + percent_encoded(id); }
  std::string all_live() const { return prefix_ + ".forecasts.*"; }
  std::string wanted() const { return prefix_ + ".wanted"; }  // to sources: a worker misses a row, or has one already
  std::string beats() const { return prefix_ + ".beats"; }

  Status make(Broker& broker, FleetSettings settings) const;  // all streams, if they are not there
  Result<FleetSettings> load(Broker& broker) const;           // of a fleet that was made
  Status remove(Broker& broker) const;

 private:
  std::string subject(const char* kind, int p) const { return prefix_ + "." + kind + "." + std::to_string(p) + "."; }
  std::string rows_subject(int p) const { return rows_of_ + ".rows." + std::to_string(p) + "."; }
  std::string prefix_, rows_of_;
};

}  // namespace elastane::serve
