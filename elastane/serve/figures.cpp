#include "elastane/serve/figures.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "elastane/io/number_text.h"

namespace elastane::serve {
namespace {

constexpr double kFirstBucket = 1e-6;  // seconds

void append_metric(const char* metric, const char* kind, const char* help, double value, std::string& text) {
  const std::string name = std::string("elastane_") + metric;
  text +=
      "# HELP " + name + " " + help + "\n# TYPE " + name + " " + kind + "\n" + name + " " + number_text(value) + "\n";
}

}  // namespace

const char* name(Refusal refusal) {
  constexpr const char* kNames[] = {"malformed",        "unauthorized", "forbidden", "too_large", "overloaded",
                                    "too_many_streams", "gap",          "not_found", "slow"};
  return kNames[static_cast<std::size_t>(refusal)];
}

double DurationHistogram::upper_end(std::size_t bucket) {
  return kFirstBucket * std::exp2(static_cast<double>(bucket));
}

void DurationHistogram::add(double seconds) {
  const double doubled = std::ceil(std::log2(std::max(seconds, kFirstBucket) / kFirstBucket));
  counts_[static_cast<std::size_t>(std::min<double>(doubled, kBuckets - 1))] += 1;
  sum_ += seconds;
}

double DurationHistogram::mean() const {
  std::uint64_t total = 0;
  for (const auto& count : counts_) total += count;
  return total > 0 ? sum_ / static_cast<double>(total) : 0;
}

DurationHistogram::Counts DurationHistogram::counts() const {
  Counts counts{};
  for (std::size_t i = 0; i < kBuckets; ++i) counts[i] = counts_[i];
  return counts;
}

double DurationHistogram::quantile(double share) const { return serve::quantile(counts(), share); }

double quantile(const DurationHistogram::Counts& counts, double share) {
  const double total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  double seen = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    seen += static_cast<double>(counts[i]);
    if (total > 0 && seen >= share * total) return DurationHistogram::upper_end(i);
  }
  return 0;
}

void DurationHistogram::append_text(const std::string& metric, std::string& text) const {
  text += "# TYPE " + metric + " histogram\n";
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    total += counts_[i];
    const std::string edge = i + 1 == kBuckets ? "+Inf" : number_text(upper_end(i));
    text += metric + "_bucket{le=\"" + edge + "\"} " + std::to_string(total) + "\n";
  }
  text += metric + "_sum " + number_text(sum_) + "\n" + metric + "_count " + std::to_string(total) + "\n";
}

void Figures::count(const std::vector<RowFigures>& each) {
  forecasts += each.size();
  for (const RowFigures& row : each) {
    depth += static_cast<std::uint64_t>(row.depth);
    accepted += static_cast<std::uint64_t>(row.accepted);
    tried += row.depth > 0 ? 1 : 0;
    held += row.is_refused ? 1 : 0;
    bad += row.is_bad ? 1 : 0;
    drift += row.drift ? 1 : 0;
    if (!std::isnan(row.micros)) step.add(row.micros * 1e-6);
  }
}

std::string Figures::text() const {
  std::string text;
  const auto counter = [&](const char* metric, const char* help, const std::atomic<std::uint64_t>& value) {
    append_metric(metric, "counter", help, static_cast<double>(value.load()), text);
  };
  counter("rows_total", "rows accepted from clients", rows);
  counter("forecasts_total", "forecasts made, replays included", forecasts);
  counter("rows_repeated_total", "rows that were sent again", repeated);
  counter("rows_replayed_total", "rows replayed after a start or a take-over", replayed);
  counter("rows_held_total", "rows with values held until later rows confirm them", held);
  counter("rows_bad_total", "rows that count as missing", bad);
  counter("rows_in_drift_total", "rows while the drift alarm of their stream was on", drift);
  counter("corrections_tried_total", "micro-steps of corrections: K", depth);
  counter("corrections_accepted_total", "micro-steps accepted", accepted);
  counter("rows_corrected_total", "rows with at least one micro-step", tried);
  counter("snapshots_total", "snapshots of streams written", snapshots);
  counter("log_syncs_total", "times that rows were flushed to the disk", log_syncs);
  counter("model_swaps_total", "models swapped", swaps);
  counter("takeovers_total", "partitions opened", takeovers);
  counter("fenced_total", "times that another writer had taken over", fenced);
  counter("rebuilt_total", "partitions rebuilt from their first row", rebuilt);
  text += "# HELP elastane_refused_total requests refused\n# TYPE elastane_refused_total counter\n";
  for (std::size_t i = 0; i < refused.size(); ++i) {
    text += std::string("elastane_refused_total{reason=\"") + name(static_cast<Refusal>(i)) + "\"} " +
            std::to_string(refused[i].load()) + "\n";
  }
  append_metric("connections", "gauge", "open connections", static_cast<double>(connections.load()), text);
  append_metric("event_readers", "gauge", "readers of events", static_cast<double>(event_readers.load()), text);
  step.append_text("elastane_step_seconds", text);
  end_to_end.append_text("elastane_end_to_end_seconds", text);
  return text;
}

// --- activity

std::int64_t Activity::slot_now() const {
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - start_;
  return static_cast<std::int64_t>(since.count() / slot_seconds_);
}

void Activity::add(const std::string& id, std::uint64_t last_row, const std::vector<RowFigures>& rows) {
  if (rows.empty()) return;
  const std::int64_t now = slot_now();
  const std::lock_guard lock(mutex_);
  OneStream& stream = streams_[id];
  Slot& slot = stream.slots[static_cast<std::size_t>(now) % kSlots];
  if (slot.number != now) slot = {.number = now};
  for (const RowFigures& row : rows) {
    slot.depth += static_cast<float>(row.depth);
    slot.accepted += static_cast<float>(row.accepted);
    if (!std::isnan(row.micros)) slot.micros += static_cast<float>(row.micros);
  }
  slot.rows += static_cast<float>(rows.size());
  stream.rows = last_row;
  stream.drift = rows.back().drift;
}

void Activity::know(const std::string& id, std::uint64_t last_row) {
  const std::lock_guard lock(mutex_);
  streams_[id].rows = last_row;
}

void Activity::forget(const std::string& id) {
  const std::lock_guard lock(mutex_);
  streams_.erase(id);
}

std::size_t Activity::size() const {
  const std::lock_guard lock(mutex_);
  return streams_.size();
}

double Activity::recent_depth(const OneStream& stream, std::int64_t now) {
  double depth = 0;
  for (const Slot& slot : stream.slots) {
    if (slot.number >= 0 && now - slot.number < static_cast<std::int64_t>(kSlots)) depth += slot.depth;
  }
  return depth;
}

StreamActivity Activity::summary(const std::string& id, const OneStream& stream, std::int64_t now) {
  StreamActivity out{.id = id, .rows = stream.rows, .drift = stream.drift};
  out.map.resize(kSlots);
  out.row_map.resize(kSlots);
  for (const Slot& slot : stream.slots) {
    const std::int64_t age = now - slot.number;
    if (slot.number < 0 || age >= static_cast<std::int64_t>(kSlots)) continue;
    out.depth += slot.depth;
    out.accepted += slot.accepted;
    out.micros += slot.micros;
    out.recent_rows += static_cast<std::uint64_t>(slot.rows);
    out.map[kSlots - 1 - static_cast<std::size_t>(age)] = slot.depth;
    out.row_map[kSlots - 1 - static_cast<std::size_t>(age)] = slot.rows;
  }
  return out;
}

std::vector<StreamActivity> Activity::most_active(std::size_t limit) const {
  const std::int64_t now = slot_now();
  // the maps of those that are wanted, not of ten thousand others
  struct Candidate {
    double depth;
    decltype(streams_)::const_iterator at;
  };
  std::vector<Candidate> all;
  const std::lock_guard lock(mutex_);
  all.reserve(streams_.size());
  for (auto at = streams_.begin(); at != streams_.end(); ++at) all.push_back({recent_depth(at->second, now), at});
  limit = std::min(limit, all.size());
  const auto less = [](const Candidate& a, const Candidate& b) {
    return a.depth != b.depth ? a.depth > b.depth : a.at->first < b.at->first;
  };
  std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(limit), less);
  std::vector<StreamActivity> most;
  for (const Candidate& each : std::span(all).first(limit))
    most.push_back(summary(each.at->first, each.at->second, now));
  return most;
}

std::vector<StreamActivity> Activity::by_id(const std::string& after, std::size_t limit) const {
  const std::int64_t now = slot_now();
  std::vector<StreamActivity> page;
  const std::lock_guard lock(mutex_);
  for (auto at = streams_.upper_bound(after); at != streams_.end() && page.size() < limit; ++at) {
    page.push_back(summary(at->first, at->second, now));
  }
  return page;
}

}  // namespace elastane::serve
