#include "elastane/serve/nats/fleet_source.h"

#include <algorithm>
#include <utility>

namespace elastane::serve {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kSilence = std::chrono::seconds(4);
constexpr auto kLookEvery = std::chrono::milliseconds(500);

RowBatch one_row(const RowBatch& rows, std::size_t i) {
  const auto values = rows.row(i);
  return {.id = rows.id,
          .first = rows.first + i,
          .has_dates = rows.has_dates,
          .times = {rows.times[i]},
          .values = {values.begin(), values.end()}};
}

}  // namespace

FleetSource::FleetSource(std::shared_ptr<Broker> broker, const FleetSettings& settings,
                         const FleetSourceOptions& options, Listener listener)
    : broker_(std::move(broker)),
      settings_(settings),
      options_(options),
      listener_(std::move(listener)),
      names_(broker_->prefix(), settings.rows_of) {}

Result<std::unique_ptr<FleetSource>> FleetSource::open(std::shared_ptr<Broker> broker, const FleetSettings& settings,
                                                       const FleetSourceOptions& options, Listener listener) {
  std::unique_ptr<FleetSource> source(new FleetSource(std::move(broker), settings, options, std::move(listener)));
  ELASTANE_TRY_ASSIGN(source->forecasts_, source->broker_->listen(source->names_.all_live()));
  ELASTANE_TRY_ASSIGN(source->wanted_, source->broker_->listen(source->names_.wanted()));
  return source;
}

Result<std::uint64_t> FleetSource::last_stored(const std::string& id) {
  const int p = partition_of(id, settings_.partitions);
  ELASTANE_TRY_ASSIGN(const auto message, broker_->last(names_.forecasts_stream(p), names_.forecasts(p, id)));
  if (!message) return std::uint64_t{0};
  ELASTANE_TRY_ASSIGN(const ForecastBatch batch, parse_forecasts(message->data));
  return batch.forecasts.back().number;
}

std::uint64_t FleetSource::confirmed(const std::string& id) const {
  const auto at = streams_.find(id);
  return at == streams_.end() ? 0 : at->second.confirmed;
}

void FleetSource::add(RowBatch rows, bool is_stored) {
  OneStream& stream = streams_[rows.id];
  const bool is_new = stream.first == 0;
  // rows between came from another source, which knows that they arrived: so did all before them
  if (is_new || rows.first > stream.newest + 1) {
    unconfirmed_ -= is_new ? 0 : stream.newest - stream.confirmed;
    forget(stream, UINT64_MAX);
    stream.first = stream.next = rows.first;
    stream.confirmed = stream.newest = rows.first - 1;
    stream.progress = Clock::now();
  }
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const std::uint64_t number = rows.first + i;
    if (number <= stream.newest) continue;  // it was added before
    const bool follows = number == stream.first + stream.kept.size();
    stream.newest = number;
    if (follows && (!options_.recall || kept_ < options_.most_kept)) {
      stream.kept.push_back(one_row(rows, i));
      kept_ += 1;
    }
    unconfirmed_ += 1;
  }
  if (is_stored) return confirm(rows.id, rows.last());
  ready_[rows.id] = true;
}

Status FleetSource::send(const std::string& id, OneStream& stream) {
  const std::uint64_t end = std::min(stream.newest, stream.confirmed + options_.window);
  while (stream.next <= end) {
    if (!stream.has(stream.next) && !recall(id, stream, stream.next)) return {};
    RowBatch batch = stream.kept[static_cast<std::size_t>(stream.next - stream.first)];
    const std::uint64_t last = std::min({end, stream.last(), stream.next + options_.rows_at_once - 1});
    for (std::uint64_t n = stream.next + 1; n <= last; ++n) {
      const RowBatch& more = stream.kept[static_cast<std::size_t>(n - stream.first)];
      batch.times.push_back(more.times[0]);
      batch.values.insert(batch.values.end(), more.values.begin(), more.values.end());
    }
    ELASTANE_TRY(
        broker_->publish(names_.rows(partition_of(id, settings_.partitions), id), to_bytes(batch), Sending::later));
    if (stream.next == stream.confirmed + 1) stream.progress = Clock::now();
    stream.next = last + 1;
  }
  return {};
}

Status FleetSource::work(int milliseconds) {
  for (const auto& [id, unused] : std::exchange(ready_, {})) ELASTANE_TRY(send(id, streams_[id]));
  broker_->send();
  ELASTANE_TRY(take_in(milliseconds));
  if (Clock::now() - looked_ < kLookEvery) return {};
  looked_ = Clock::now();
  return look_after_silent_streams();
}

Status FleetSource::take_in(int milliseconds) {
  for (int i = 0; i < 4096; ++i) {
    ELASTANE_TRY_ASSIGN(const auto message, forecasts_->next(milliseconds));
    if (!message) break;
    milliseconds = 0;
    const auto batch = parse_forecasts(message->data);
    if (!batch) continue;
    if (listener_) listener_(*batch);
    confirm(batch->id, batch->forecasts.back().number);
  }
  while (!options_.rules.go_back) {
    ELASTANE_TRY_ASSIGN(const auto message, wanted_->next(0));
    if (!message) break;
    const auto news = parse_rows(message->data);
    if (!news) continue;
    news->times[0] > 0 ? go_back(news->id, news->first) : confirm(news->id, news->first);
  }
  return {};
}

Status FleetSource::verify() {
  for (auto& [id, stream] : streams_) {
    if (options_.rules.go_back) break;
    ELASTANE_TRY_ASSIGN(const std::uint64_t stored, last_stored(id));
    if (stored < stream.confirmed) go_back(id, options_.recall ? stored + 1 : std::max(stored + 1, stream.first));
  }
  return {};
}

void FleetSource::confirm(const std::string& id, std::uint64_t number) {
  const auto at = streams_.find(id);
  if (at == streams_.end()) return;
  OneStream& stream = at->second;
  number = std::min(number, stream.newest);
  if (number <= stream.confirmed) return;
  unconfirmed_ -= number - stream.confirmed;
  stream.confirmed = number;
  stream.next = std::max(stream.next, number + 1);
  stream.progress = Clock::now();
  // the last of the confirmed ones may be asked for soon, and stay while there is room for new ones of all streams
  const std::uint64_t stay = kept_ < options_.most_kept / 2 ? options_.window : 0;
  if (options_.recall) forget(stream, number + 1 - std::min(stay, number));
  ready_[id] = true;
}

// rows before this number are no longer in memory
void FleetSource::forget(OneStream& stream, std::uint64_t before) {
  while (!stream.kept.empty() && stream.first < before) {
    stream.kept.pop_front();
    stream.first += 1;
    kept_ -= 1;
  }
}

// Rows from this number on are in memory, in the place of those that were; false: this one is not known.
bool FleetSource::recall(const std::string& id, OneStream& stream, std::uint64_t number) {
  if (!options_.recall || number <= stream.unknown) return false;
  const auto known = options_.recall(id, number, std::min(stream.newest, number + options_.recalled - 1));
  if (!known) return false;
  std::map<std::uint64_t, RowBatch> rows;
  for (const RowBatch& batch : *known) {
    for (std::size_t i = 0; i < batch.rows(); ++i) rows.insert_or_assign(batch.first + i, one_row(batch, i));
  }
  if (!rows.contains(number)) {
    stream.unknown = number;
    return false;
  }
  forget(stream, UINT64_MAX);
  stream.first = number;
  for (auto at = rows.find(number); at != rows.end() && at->first == stream.first + stream.kept.size(); ++at) {
    if (stream.kept.size() == options_.recalled) break;
    stream.kept.push_back(std::move(at->second));
    kept_ += 1;
  }
  return true;
}

// A worker misses a row: it comes again, and all after it.
void FleetSource::go_back(const std::string& id, std::uint64_t number) {
  const auto at = streams_.find(id);
  if (at == streams_.end()) return;
  OneStream& stream = at->second;
  if (number >= stream.next || number == 0) return;
  if (!stream.has(number) && !recall(id, stream, number)) return;
  went_back_ += 1;
  if (number <= stream.confirmed) {
    unconfirmed_ += stream.confirmed - (number - 1);
    stream.confirmed = number - 1;
  }
  stream.next = number;
  stream.progress = Clock::now();
  ready_[id] = true;
}

// Without news for long, the log says what arrived.
Status FleetSource::look_after_silent_streams() {
  const auto now = Clock::now();
  for (auto& [id, stream] : streams_) {
    if (stream.confirmed == stream.newest || now - stream.progress < kSilence || options_.rules.go_back) continue;
    ELASTANE_TRY_ASSIGN(const std::uint64_t stored, last_stored(id));
    if (stored > stream.confirmed) {
      const std::uint64_t number = std::min(stored, stream.newest);
      unconfirmed_ -= number - stream.confirmed;
      stream.confirmed = number;
    }
    stream.next = stream.confirmed + 1;
    stream.progress = now;
    ready_[id] = true;
    went_back_ += 1;
  }
  return {};
}

}  // namespace elastane::serve
