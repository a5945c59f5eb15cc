// Figures of a running service: counters and histograms for /metrics, and where compute went for the studio.
//
// They come from clocks of this machine and are in no record. Counters only grow, and none is kept by id: a million ids
// must not make a million lines.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "elastane/serve/session.h"

namespace elastane::serve {

// why a request or a row was refused
enum class Refusal : std::uint8_t {
  malformed,
  unauthorized,
  forbidden,
  too_large,
  overloaded,
  too_many_streams,
  gap,
  not_found,
  slow,
  count
};
const char* name(Refusal refusal);

// seconds in buckets that double, from 1 µs to about 67 s
class DurationHistogram {
 public:
  static constexpr std::size_t kBuckets = 27;
  using Counts = std::array<std::uint64_t, kBuckets>;
  static double upper_end(std::size_t bucket);  // in seconds; the last one has no end

  void add(double seconds);
  Counts counts() const;
  void append_text(const std::string& metric, std::string& text) const;
  double mean() const;                  // 0: nothing was added
  double quantile(double share) const;  // upper end of the bucket, in seconds; 0: nothing was added

 private:
  std::array<std::atomic<std::uint64_t>, kBuckets> counts_{};
  std::atomic<double> sum_ = 0;
};

double quantile(const DurationHistogram::Counts& counts, double share);  // as that of the histogram

struct Figures {
  std::atomic<std::uint64_t> rows = 0, forecasts = 0, replayed = 0, repeated = 0, held = 0, bad = 0, drift = 0;
  std::atomic<std::uint64_t> fenced = 0, rebuilt = 0, takeovers = 0, snapshots = 0, swaps = 0, log_syncs = 0;
  std::atomic<std::uint64_t> depth = 0, accepted = 0, tried = 0;  // corrections: K, accepted micro-steps, rows with any
  std::array<std::atomic<std::uint64_t>, static_cast<std::size_t>(Refusal::count)> refused{};
  std::atomic<std::int64_t> connections = 0, event_readers = 0;
  DurationHistogram step, end_to_end;

  void refuse(Refusal why) { refused[static_cast<std::size_t>(why)] += 1; }
  void count(const std::vector<RowFigures>& rows);
  std::string text() const;  // in the format of Prometheus
};

// what one stream did lately; times are whole seconds since the service began
struct StreamActivity {
  std::string id;
  std::uint64_t rows = 0;
  double depth = 0, accepted = 0, micros = 0;  // within the window
  std::uint64_t recent_rows = 0;               // likewise
  bool drift = false;
  std::vector<double> map, row_map;  // depth and rows per slot, the oldest first
};

// Where compute went: per stream and slot of time. One thread adds, others read.
class Activity {
 public:
  static constexpr std::size_t kSlots = 60;
  static constexpr double kSlotSeconds = 2;
  explicit Activity(double slot_seconds = kSlotSeconds) : slot_seconds_(slot_seconds) {}

  void add(const std::string& id, std::uint64_t last_row, const std::vector<RowFigures>& rows);
  void know(const std::string& id, std::uint64_t last_row);  // a stream that did nothing yet
  void forget(const std::string& id);
  // streams by compute in the window, most first; or by id
  std::vector<StreamActivity> most_active(std::size_t limit) const;
  std::vector<StreamActivity> by_id(const std::string& after, std::size_t limit) const;
  std::size_t size() const;

 private:
  struct Slot {
    std::int64_t number = -1;
    float depth = 0, accepted = 0, micros = 0, rows = 0;
  };
  struct OneStream {
    std::uint64_t rows = 0;
    bool drift = false;
    std::array<Slot, kSlots> slots;
  };
  static double recent_depth(const OneStream& stream, std::int64_t now);
  static StreamActivity summary(const std::string& id, const OneStream& stream, std::int64_t now);
  std::int64_t slot_now() const;

  double slot_seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  mutable std::mutex mutex_;
  std::map<std::string, OneStream, std::less<>> streams_;
};

}  // namespace elastane::serve
